// How well and how fast the density learners of the core do on data sets of zeros and ones.
//
//   density-learners THREADS NAME... < for every name its training, validation and test rows, each
//                                      ended by a line "end"
//
// Every learner is tried with a few settings, and the one that is best on the validation rows is
// shown: the seconds that it took, the seconds of all that were tried, and mean log-likelihoods by
// row. See density-learners.sh.

#include "core/cutset/chow_liu.h"
#include "core/cutset/cutset_learning.h"
#include "core/cutset/density_questions.h"
#include "core/cutset/ensemble.h"
#include "core/cutset/expectation.h"
#include "core/cutset/latent_tree.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace optbn;

namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// ---- data ---------------------------------------------------------------------------------------

Dataset read_rows() {
  Dataset data;
  std::string line;
  while (std::getline(std::cin, line) && line != "end") {
    data.columns.resize((line.size() + 1) / 2);
    for (std::size_t v = 0; v < data.columns.size(); ++v)
      data.columns[v].codes.push_back(line[2 * v] == '1');
  }
  for (Column &column : data.columns)
    column.levels = 2;
  data.rows = data.total = data.columns.empty() ? 0 : data.columns[0].codes.size();
  return data;
}

struct Task {
  const TrainingRows training{read_rows()}, validation{read_rows()}, test{read_rows()};
  const Host &host;
  explicit Task(const Host &with) : host(with) {}
};

double mean_log_likelihood(const DensityMixture &mixture, const TrainingRows &rows,
                           const Host &host) {
  Watch watch(host);
  double sum = 0;
  for (const double log_density : log_densities(mixture, rows.cells(), watch))
    sum += log_density;
  return sum / static_cast<double>(rows.rows());
}

DensityMixture equal_mixture(const Task &task, std::vector<CutsetNetwork> components) {
  const std::vector<double> weights(components.size(), 1 / static_cast<double>(components.size()));
  return {task.training.levels(), weights, std::move(components)};
}

// ---- learners -----------------------------------------------------------------------------------

struct Trial {
  std::string settings;
  std::function<DensityMixture(Watch &)> learn;
};

std::string text(const char *name, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%s %g", name, value);
  return buffer;
}

std::vector<Trial> chow_liu_trees(const Task &task) {
  std::vector<Trial> trials;
  for (const double alpha : {0.001, 0.01, 0.1})
    trials.push_back(
        {text("alpha", alpha), [&task, alpha](Watch &watch) {
           return equal_mixture(
               task, {uncut(learn_chow_liu(task.training, {}, {Prior::joint, alpha}, watch))});
         }});
  return trials;
}

CutsetSettings cutset_settings(CutRule rule, double min_rows, double alpha) {
  CutsetSettings settings;
  settings.rule = rule;
  settings.min_rows = min_rows;
  settings.smoothing = {Prior::joint, alpha};
  return settings;
}

std::string text(const CutsetSettings &settings) {
  return text("min_rows", settings.min_rows) + ", " + text("alpha", settings.smoothing.alpha);
}

std::vector<Trial> networks(const Task &task) {
  std::vector<Trial> trials;
  for (const double min_rows : {200, 400})
    for (const double alpha : {0.01, 0.1, 0.3}) {
      const CutsetSettings settings = cutset_settings(CutRule::likelihood, min_rows, alpha);
      trials.push_back({text(settings), [&task, settings](Watch &watch) {
                          Random random(1);
                          return equal_mixture(task, {learn_cutset(task.training, {}, settings,
                                                                   nullptr, random, watch)});
                        }});
    }
  return trials;
}

std::vector<Trial> ensembles(const Task &task, CutRule rule, bool bootstrap, unsigned components,
                             const std::vector<double> &min_rows,
                             const std::vector<double> &alphas) {
  std::vector<Trial> trials;
  for (const double rows : min_rows)
    for (const double alpha : alphas) {
      EnsembleSettings settings;
      settings.components = components;
      settings.bootstrap = bootstrap;
      settings.cutset = cutset_settings(rule, rows, alpha);
      trials.push_back({text("components", components) + ", " + text(settings.cutset),
                        [&task, settings](Watch &watch) {
                          return equal_mixture(
                              task, learn_ensemble(task.training, nullptr, settings, watch));
                        }});
    }
  return trials;
}

std::vector<Trial> mixtures(const Task &task, bool cuts) {
  std::vector<Trial> trials;
  for (const unsigned components : {5, 10, 20, 30}) {
    ExpectationSettings settings;
    settings.components = components;
    settings.cuts = cuts;
    settings.cutset.smoothing = {Prior::laplace, 1};
    settings.cutset.max_depth = 2;
    settings.steps.tolerance = 1e-4;
    trials.push_back(
        {text("components", components), [&task, settings](Watch &watch) {
           return learn_mixture(task.training, &task.validation, settings, nullptr, watch).mixture;
         }});
  }
  return trials;
}

std::vector<Trial> latent_trees(const Task &task) {
  std::vector<Trial> trials;
  for (const unsigned states : {8, 16, 32})
    for (const double smoothing : {0.02, 0.1}) {
      LatentTreeSettings settings;
      settings.states = states;
      settings.smoothing = smoothing;
      settings.steps.tolerance = 1e-3;
      trials.push_back({text("states", states) + ", " + text("smoothing", smoothing),
                        [&task, settings](Watch &watch) {
                          return learn_latent_tree(task.training, &task.validation, settings,
                                                   nullptr, watch)
                              .mixture;
                        }});
    }
  return trials;
}

// ---- table --------------------------------------------------------------------------------------

void show_best(const std::string &name, const char *learner, const Task &task,
               const std::vector<Trial> &trials) {
  double best = -std::numeric_limits<double>::infinity(), test = best, spent = 0;
  const double begin = seconds();
  std::string settings;
  for (const Trial &trial : trials) {
    const double start = seconds();
    Watch watch(task.host);
    const DensityMixture mixture = trial.learn(watch);
    const double took = seconds() - start;
    const double validation = mean_log_likelihood(mixture, task.validation, task.host);
    if (validation > best) {
      best = validation;
      test = mean_log_likelihood(mixture, task.test, task.host);
      spent = took;
      settings = trial.settings;
    }
  }
  std::printf("| %-10s | %-16s | %-44s | %9.3f | %9.3f | %10.4f | %9.4f |\n", name.c_str(), learner,
              settings.c_str(), spent, seconds() - begin, best, test);
  std::fflush(stdout);
}

void show_learners(const std::string &name, const Task &task) {
  const auto rows = static_cast<double>(task.training.rows());
  show_best(name, "Chow-Liu tree", task, chow_liu_trees(task));
  show_best(name, "dCSN", task, networks(task));
  show_best(name, "bagged dCSN", task,
            ensembles(task, CutRule::likelihood, true, 40, {200}, {0.05, 0.2}));
  show_best(name, "XCNet ensemble", task,
            ensembles(task, CutRule::random, false, 100,
                      {std::max(50.0, rows / 200), std::max(100.0, rows / 60), rows / 20},
                      {0.01, 0.05, 0.3}));
  show_best(name, "mixture of trees", task, mixtures(task, false));
  show_best(name, "MCNet", task, mixtures(task, true));
  show_best(name, "latent tree", task, latent_trees(task));
}

} // namespace

int main(int arguments, char **argument) {
  Host host;
  host.threads = arguments > 1 ? static_cast<unsigned>(std::atoi(argument[1])) : 1;
  std::printf("| set        | learner          | best settings                                "
              "| seconds   | of all    | validation | test      |\n"
              "|------------|------------------|----------------------------------------------"
              "|-----------|-----------|------------|-----------|\n");
  for (int i = 2; i < arguments; ++i) {
    const Task task(host);
    show_learners(argument[i], task);
  }
}
