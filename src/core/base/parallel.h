// parallel_for: independent tasks on a few threads, under one Watch.
//
// Tasks are handed out in order from an atomic counter. Results must not depend on which worker
// runs a task, so a task writes only to its own part of the result and draws random numbers only
// from its own stream. The owner of the watch polls the host while workers run; the first exception
// of a worker is rethrown on the owner's thread after all workers have been joined.
#pragma once

#include "core/base/host.h"

#include <condition_variable>
#include <cstddef>
#include <functional>

namespace optbn {

// Runs body(task, worker) for every task in 0..tasks-1; worker is in 0..threads-1, and one worker
// runs one task at a time. Returns early, with some tasks not run, when the watch has stopped.
void parallel_for(Watch &watch, std::size_t tasks,
                  const std::function<void(std::size_t task, unsigned worker)> &body);

} // namespace optbn
