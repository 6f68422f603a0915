#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace optbn {

namespace {

// Joins its threads on every exit from the scope.
class JoinedThreads {
public:
  ~JoinedThreads() {
    for (std::thread &thread : threads_)
      if (thread.joinable())
        thread.join();
  }
  template <class Work> void add(Work work) { threads_.emplace_back(std::move(work)); }

private:
  std::vector<std::thread> threads_;
};

} // namespace

void parallel_for(Watch &watch, std::size_t tasks,
                  const std::function<void(std::size_t, unsigned)> &body) {
  const unsigned threads =
      static_cast<unsigned>(std::min<std::size_t>(std::max(1u, watch.host().threads), tasks));
  if (threads <= 1) {
    for (std::size_t task = 0; task < tasks && !watch.stopped(); ++task)
      body(task, 0);
    return;
  }

  std::atomic<std::size_t> next{0};
  std::mutex guard; // protects the next three
  std::condition_variable finished;
  unsigned running = threads;
  std::exception_ptr failure;

  const auto work = [&](unsigned worker) {
    try {
      while (!watch.stopped()) {
        const std::size_t task = next.fetch_add(1, std::memory_order_relaxed);
        if (task >= tasks)
          break;
        body(task, worker);
      }
    } catch (...) {
      next = tasks; // no worker starts another task
      const std::lock_guard<std::mutex> lock(guard);
      if (!failure)
        failure = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(guard);
    if (--running == 0)
      finished.notify_one();
  };

  {
    JoinedThreads group;
    for (unsigned worker = 0; worker < threads; ++worker) {
      try {
        group.add([&work, worker] { work(worker); });
      } catch (...) { // the system gives no more threads: the others do the work
        const std::lock_guard<std::mutex> lock(guard);
        running -= threads - worker;
        if (worker == 0)
          throw;
        break;
      }
    }
    std::unique_lock<std::mutex> lock(guard);
    while (!finished.wait_for(lock, std::chrono::milliseconds(20), [&] { return running == 0; })) {
      lock.unlock();
      watch.stopped(); // the owner polls the host while the workers run
      lock.lock();
    }
  }
  if (failure)
    std::rethrow_exception(failure);
}

} // namespace optbn
