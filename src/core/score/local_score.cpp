#include "core/score/local_score.h"

#include "core/score/bge_score.h"
#include "core/score/regression_score.h"
#include "core/score/table_score.h"

#include <stdexcept>

namespace optbn {

std::unique_ptr<LocalScore> make_score(const Dataset &data, const ScoreSettings &settings) {
  const std::string &label = settings.label;
  if (label == "loglik" || label == "bic" || label == "aic")
    return std::make_unique<TableScore>(data, TableKind::likelihood, settings.k);
  if (label == "bde")
    return std::make_unique<TableScore>(data, TableKind::bde, settings.iss);
  if (label == "bds")
    return std::make_unique<TableScore>(data, TableKind::bds, settings.iss);
  if (label == "k2")
    return std::make_unique<TableScore>(data, TableKind::k2, 0);
  if (label == "bdj")
    return std::make_unique<TableScore>(data, TableKind::bdj, 0);
  if (label == "bge")
    return std::make_unique<BgeScore>(data, settings.iss_mu, settings.iss_w, settings.nu);
  if (label == "loglik-g" || label == "bic-g" || label == "aic-g" || label == "loglik-cg" ||
      label == "bic-cg" || label == "aic-cg")
    return std::make_unique<RegressionScore>(data, settings.k);
  throw std::invalid_argument("unknown score label: " + label);
}

} // namespace optbn
