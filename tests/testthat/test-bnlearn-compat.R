# bnlearn's exported functions on networks of class c("optbn", "bn") and on
# their fits, each against what it gives on the plain network.

skip_without_peer("bnlearn")

# Results are compared up to what makes a network ours: the class, and the
# record inside.
as_theirs <- function(x) {
  if (!is.list(x)) return(x)
  theirs <- unclass(x)
  theirs[names(theirs) %in% "optbn"] <- NULL
  theirs[] <- lapply(theirs, as_theirs)
  attributes(theirs) <- lapply(attributes(theirs), as_theirs)
  class(theirs) <- setdiff(oldClass(x), "optbn")
  theirs
}

expect_same <- function(calls, ours, theirs) {
  for (name in names(calls)) {
    withr::with_seed(1, suppressWarnings(result <- do.call(calls[[name]], ours)))
    withr::with_seed(1, suppressWarnings(expected <- do.call(calls[[name]], theirs)))
    expect_equal(as_theirs(result), as_theirs(expected), tolerance = 1e-12,
                 label = paste0(name, "() of our network"))
  }
}

in_file <- function(write, read = readLines) {
  file <- withr::local_tempfile(fileext = ".txt")
  write(file)
  read(file)
}

structure_calls <- list(
  acyclic = function(net) bnlearn::acyclic(net),
  add.node = function(net) bnlearn::add.node(net, "new"),
  amat = function(net) bnlearn::amat(net),
  `amat<-` = function(net) bnlearn::`amat<-`(net, value = 0 * bnlearn::amat(net)),
  ancestors = function(net) bnlearn::ancestors(net, "D"),
  arcs = function(net) bnlearn::arcs(net),
  `arcs<-` = function(net) bnlearn::`arcs<-`(net, value = bnlearn::arcs(net)[-1L, ]),
  blacklist = function(net) bnlearn::blacklist(net),
  cextend = function(net) bnlearn::cextend(bnlearn::cpdag(net)),
  children = function(net) bnlearn::children(net, "A"),
  `children<-` = function(net) bnlearn::`children<-`(net, "A", value = "B"),
  colliders = function(net) bnlearn::colliders(net),
  compare = function(net) bnlearn::compare(net, bnlearn::drop.arc(net, "A", "D"), arcs = TRUE),
  compelled.arcs = function(net) bnlearn::compelled.arcs(net),
  cpdag = function(net) bnlearn::cpdag(net),
  custom.strength = function(net) {
    bnlearn::custom.strength(list(net, bnlearn::drop.arc(net, "A", "D")), bnlearn::nodes(net))
  },
  degree = function(net) bnlearn::degree(net, "A"),
  descendants = function(net) bnlearn::descendants(net, "A"),
  directed = function(net) bnlearn::directed(net),
  directed.arcs = function(net) bnlearn::directed.arcs(net),
  drop.arc = function(net) bnlearn::drop.arc(net, "A", "D"),
  drop.edge = function(net) bnlearn::drop.edge(bnlearn::skeleton(net), "A", "D"),
  dsep = function(net) bnlearn::dsep(net, "A", "C", "D"),
  hamming = function(net) bnlearn::hamming(net, bnlearn::drop.arc(net, "A", "D")),
  in.degree = function(net) bnlearn::in.degree(net, "D"),
  incident.arcs = function(net) bnlearn::incident.arcs(net, "D"),
  incoming.arcs = function(net) bnlearn::incoming.arcs(net, "D"),
  leaf.nodes = function(net) bnlearn::leaf.nodes(net),
  mb = function(net) bnlearn::mb(net, "A"),
  modelstring = function(net) bnlearn::modelstring(net),
  `modelstring<-` = function(net) {
    bnlearn::`modelstring<-`(net, value = sub("A:", "", bnlearn::modelstring(net), fixed = TRUE))
  },
  moral = function(net) bnlearn::moral(net),
  mutilated = function(net) bnlearn::mutilated(net, list(D = "a")),
  narcs = function(net) bnlearn::narcs(net),
  nbr = function(net) bnlearn::nbr(net, "A"),
  nnodes = function(net) bnlearn::nnodes(net),
  node.ordering = function(net) bnlearn::node.ordering(net),
  nodes = function(net) bnlearn::nodes(net),
  `nodes<-` = function(net) {
    bnlearn::`nodes<-`(net, value = tolower(bnlearn::nodes(net)))
  },
  ntests = function(net) bnlearn::ntests(net),
  ordering2blacklist = function(net) bnlearn::ordering2blacklist(net),
  out.degree = function(net) bnlearn::out.degree(net, "A"),
  outgoing.arcs = function(net) bnlearn::outgoing.arcs(net, "A"),
  parents = function(net) bnlearn::parents(net, "D"),
  `parents<-` = function(net) bnlearn::`parents<-`(net, "D", value = "A"),
  path.exists = function(net) bnlearn::path.exists(net, "A", "D"),
  pdag2dag = function(net) bnlearn::pdag2dag(bnlearn::cpdag(net), bnlearn::nodes(net)),
  remove.node = function(net) bnlearn::remove.node(net, "A"),
  rename.nodes = function(net) bnlearn::rename.nodes(net, tolower(bnlearn::nodes(net))),
  reverse.arc = function(net) bnlearn::reverse.arc(net, "A", "D"),
  reversible.arcs = function(net) bnlearn::reversible.arcs(net),
  root.nodes = function(net) bnlearn::root.nodes(net),
  set.arc = function(net) bnlearn::set.arc(net, "A", "C"),
  set.edge = function(net) bnlearn::set.edge(net, "A", "C"),
  shd = function(net) bnlearn::shd(net, bnlearn::drop.arc(net, "A", "D")),
  shielded.colliders = function(net) bnlearn::shielded.colliders(net),
  skeleton = function(net) bnlearn::skeleton(net),
  spouses = function(net) bnlearn::spouses(net, "A"),
  subgraph = function(net) bnlearn::subgraph(net, c("A", "C", "D")),
  undirected.arcs = function(net) bnlearn::undirected.arcs(bnlearn::cpdag(net)),
  unshielded.colliders = function(net) bnlearn::unshielded.colliders(net),
  vstructs = function(net) bnlearn::vstructs(net),
  whitelist = function(net) bnlearn::whitelist(net),
  write.dot = function(net) in_file(function(file) bnlearn::write.dot(file, net))
)

smaller <- function(net) do.call(bnlearn::drop.arc, c(list(net), as.list(net$arcs[1L, ])))

with_missing <- function(data) {
  data <- head(data, 200L)
  data[1:20, "B"] <- NA
  data
}

# One value of a node, for interventions and evidence.
a_value <- function(column) if (is.factor(column)) levels(column)[1L] else 1

data_calls <- list(
  arc.strength = function(net, fit, data) bnlearn::arc.strength(net, data),
  BF = function(net, fit, data) bnlearn::BF(net, smaller(net), data),
  bn.boot = function(net, fit, data) {
    bnlearn::bn.boot(data, bnlearn::arcs, R = 2, m = 200, algorithm = "hc",
                     algorithm.args = list(start = net))
  },
  bn.cv = function(net, fit, data) bnlearn::bn.cv(data, net, k = 2),
  bn.fit = function(net, fit, data) bnlearn::bn.fit(net, data),
  bn.net = function(net, fit, data) bnlearn::bn.net(fit),
  boot.strength = function(net, fit, data) {
    bnlearn::boot.strength(data, R = 2, m = 200, algorithm = "hc",
                           algorithm.args = list(start = net))
  },
  cpdag = function(net, fit, data) bnlearn::cpdag(fit),
  cpdist = function(net, fit, data) {
    bnlearn::cpdist(fit, nodes = c("B", "D"), evidence = TRUE, n = 100)
  },
  cpquery = function(net, fit, data) {
    bnlearn::cpquery(fit, event = TRUE, evidence = list(A = a_value(data$A)), n = 100,
                     method = "lw")
  },
  custom.fit = function(net, fit, data) {
    bnlearn::custom.fit(net, lapply(unclass(fit), function(node) {
      if (is.factor(data$A)) node$prob else list(coef = node$coefficients, sd = node$sd)
    }))
  },
  degree = function(net, fit, data) bnlearn::degree(fit, "A"),
  dsep = function(net, fit, data) bnlearn::dsep(fit, "A", "C"),
  hc = function(net, fit, data) bnlearn::hc(data, start = net),
  impute = function(net, fit, data) {
    bnlearn::impute(fit, with_missing(data), method = "parents")
  },
  loss = function(net, fit, data) bnlearn::loss(bnlearn::bn.cv(data, net, k = 2)),
  mb = function(net, fit, data) bnlearn::mb(fit, "A"),
  modelstring = function(net, fit, data) bnlearn::modelstring(fit),
  mutilated = function(net, fit, data) bnlearn::mutilated(fit, list(D = a_value(data$D))),
  nodes = function(net, fit, data) bnlearn::nodes(fit),
  `nodes<-` = function(net, fit, data) {
    bnlearn::`nodes<-`(fit, value = tolower(bnlearn::nodes(fit)))
  },
  nparams = function(net, fit, data) {
    c(bnlearn::nparams(net, data), bnlearn::nparams(fit))
  },
  rbn = function(net, fit, data) bnlearn::rbn(fit, 20),
  structural.em = function(net, fit, data) {
    bnlearn::structural.em(with_missing(data), start = net, max.iter = 1, impute = "parents")
  },
  tabu = function(net, fit, data) bnlearn::tabu(data, start = net, max.iter = 5)
)

discrete_calls <- list(
  alpha.star = function(net, fit, data) bnlearn::alpha.star(net, head(data, 200L)),
  write.bif = function(net, fit, data) in_file(function(file) bnlearn::write.bif(file, fit)),
  read.bif = function(net, fit, data) {
    in_file(function(file) bnlearn::write.bif(file, fit), bnlearn::read.bif)
  },
  write.dsc = function(net, fit, data) in_file(function(file) bnlearn::write.dsc(file, fit)),
  write.net = function(net, fit, data) in_file(function(file) bnlearn::write.net(file, fit))
)

# bnlearn 5 asks gRain for the divergence of discrete networks.
divergence <- function(net, fit, data) bnlearn::KL(fit, bnlearn::bn.fit(smaller(net), data))

grain_calls <- list(
  KL = divergence,
  as.grain = function(net, fit, data) bnlearn::as.bn.fit(bnlearn::as.grain(fit))
)

gaussian_calls <- list(
  KL = divergence,
  as.lm = function(net, fit, data) {
    list(lapply(bnlearn::as.lm(net, data), coef), lapply(bnlearn::as.lm(fit, data), coef))
  },
  gbn2mvnorm = function(net, fit, data) bnlearn::gbn2mvnorm(fit),
  mvnorm2gbn = function(net, fit, data) {
    moments <- bnlearn::gbn2mvnorm(fit)
    bnlearn::mvnorm2gbn(net, mu = moments$mu, sigma = moments$sigma)
  }
)

# Methods for generics of other packages, which bnlearn does not export.
method_calls <- list(
  AIC = function(net, fit, data) c(AIC(net, data), AIC(fit, data)),
  BIC = function(net, fit, data) c(BIC(net, data), BIC(fit, data)),
  logLik = function(net, fit, data) {
    list(logLik(net, data), logLik(fit, data), logLik(fit, data, by.sample = TRUE))
  },
  all.equal = function(net, fit, data) {
    list(all.equal(net, smaller(net)), all.equal(fit, bnlearn::bn.fit(smaller(net), data)))
  },
  as.character = function(net, fit, data) as.character(net),
  coef = function(net, fit, data) coef(fit),
  predict = function(net, fit, data) {
    list(predict(fit, node = "D", data = data),
         predict(fit, node = "D", data = head(data), method = "bayes-lw", n = 50))
  },
  `[[<-` = function(net, fit, data) {
    node <- fit$A
    fit[["A"]] <- if (is.factor(data$A)) node$prob else list(coef = 3, sd = 2)
    fit
  }
)

gaussian_method_calls <- list(
  fitted = function(net, fit, data) fitted(fit),
  residuals = function(net, fit, data) residuals(fit),
  sigma = function(net, fit, data) stats::sigma(fit)
)

score_labels <- list(
  discrete = c("loglik", "aic", "bic", "ebic", "fnml", "qnml", "nal", "pnal", "bde", "bds", "bdj",
               "k2"),
  gaussian = c("loglik-g", "aic-g", "bic-g", "ebic-g", "nal-g", "pnal-g", "bge"),
  mixed = c("loglik-cg", "aic-cg", "bic-cg", "ebic-cg", "nal-cg", "pnal-cg")
)

networks <- list(discrete = discrete_network(), gaussian = gaussian_network(),
                 mixed = mixed_network())
data_sets <- list(discrete = bnlearn::learning.test, gaussian = bnlearn::gaussian.test,
                  mixed = bnlearn::clgaussian.test)

# Arguments of the calls: with our network, and with the plain one.
sides <- function(kind) {
  data <- head(data_sets[[kind]], 1000L)
  lapply(list(ours = networks[[kind]], theirs = as_theirs(networks[[kind]])), function(net) {
    list(net = net, fit = bnlearn::bn.fit(net, data), data = data)
  })
}

test_that("functions of a structure give what they give on the plain network", {
  expect_same(structure_calls, list(networks$discrete), list(as_theirs(networks$discrete)))
})

test_that("functions of discrete networks, data and fits agree", {
  both <- sides("discrete")
  expect_same(c(data_calls, discrete_calls, method_calls), both$ours, both$theirs)
})

test_that("gRain networks made of our fits agree", {
  skip_without_peer("gRain")
  both <- sides("discrete")
  expect_same(grain_calls, both$ours, both$theirs)
})

test_that("functions of Gaussian networks, data and fits agree", {
  both <- sides("gaussian")
  expect_same(c(data_calls, gaussian_calls, method_calls, gaussian_method_calls),
              both$ours, both$theirs)
})

test_that("every score agrees, by node too", {
  for (kind in names(score_labels)) {
    both <- sides(kind)
    for (label in score_labels[[kind]]) {
      score <- function(net, fit, data) {
        c(bnlearn::score(net, data, type = label),
          bnlearn::score(net, data, type = label, by.node = TRUE))
      }
      expect_same(stats::setNames(list(score), label), both$ours, both$theirs)
    }
  }
})

test_that("networks of both data kinds refuse illegal arcs as bnlearn does", {
  theirs <- bnlearn::hc(bnlearn::clgaussian.test)
  expect_setequal(arc_labels(networks$mixed$learning$illegal), arc_labels(theirs$learning$illegal))
  expect_error(bnlearn::set.arc(networks$mixed, "D", "B"), "not valid")
})

test_that("these are at least fifty of bnlearn's exported functions", {
  functions <- unique(c(names(structure_calls), names(data_calls), names(discrete_calls),
                        names(grain_calls), names(gaussian_calls), "score"))
  expect_identical(setdiff(functions, getNamespaceExports("bnlearn")), character())
  expect_gte(length(functions), 50L)
})
