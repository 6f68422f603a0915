#include "core/score/local_score.h"

#include "core/score/bge_score.h"
#include "core/score/ft_score.h"
#include "core/score/pcart_score.h"
#include "core/score/regression_score.h"
#include "core/score/size_penalty.h"
#include "core/score/table_score.h"

#include <algorithm>
#include <stdexcept>

namespace optbn {

namespace {

bool all_discrete(const Dataset &data) {
  return std::all_of(data.columns.begin(), data.columns.end(),
                     [](const Column &column) { return column.discrete(); });
}

std::unique_ptr<LocalScore> make_full_table(const Dataset &data, const ScoreSettings &settings) {
  if (!all_discrete(data))
    return std::make_unique<FtScore>(data, settings);
  if (settings.leaf.iss > 0)
    return std::make_unique<TableScore>(data, TableKind::bde, settings.leaf.iss);
  return std::make_unique<TableScore>(data, TableKind::uniform, settings.leaf.alpha);
}

} // namespace

std::unique_ptr<LocalScore> make_score(const Dataset &data, const ScoreSettings &settings) {
  const std::string &label = settings.label;
  if (label == "loglik" || label == "bic" || label == "aic")
    return std::make_unique<TableScore>(data, TableKind::likelihood, settings.k);
  if (label == "bde")
    return std::make_unique<TableScore>(data, TableKind::bde, settings.iss);
  if (label == "bds")
    return std::make_unique<TableScore>(data, TableKind::bds, settings.iss);
  if (label == "k2")
    return std::make_unique<TableScore>(data, TableKind::uniform, 1);
  if (label == "bdj")
    return std::make_unique<TableScore>(data, TableKind::uniform, 0.5);
  if (label == "bge")
    return std::make_unique<BgeScore>(data, settings.iss_mu, settings.iss_w, settings.nu);
  if (label == "loglik-g" || label == "bic-g" || label == "aic-g" || label == "loglik-cg" ||
      label == "bic-cg" || label == "aic-cg")
    return std::make_unique<RegressionScore>(data, settings.k);
  if (label == "pcart")
    return std::make_unique<PcartScore>(data, settings);
  if (label == "ft")
    return make_full_table(data, settings);
  if (label == "pcart-p" || label == "ft-p") {
    ScoreSettings base = settings;
    base.label = label.substr(0, label.size() - 2);
    return std::make_unique<SizePenalty>(make_score(data, base), data.size());
  }
  throw std::invalid_argument("unknown score label: " + label);
}

} // namespace optbn
