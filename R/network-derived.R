# What was made of a learned network: its equivalence class, skeleton, moral graph, or what is left
# after interventions. bnlearn's functions that make these copy the certificate, whose arcs are then
# not those of the graph; but what it proves of the network still says what the graph is.

# In words; NULL where the arcs were changed in another way. `record`: a certificate that is sealed.
derivation <- function(network, record) {
  nodes <- names(network$nodes)
  if (!setequal(nodes, names(record$node_scores))) return(NULL)
  learned <- record$arcs
  now <- unname(network$arcs)
  proved <- paste("a network", proof_in_words(record, width = TRUE))
  if (same_arcs(now, class_arcs(nodes, learned))) {
    differ <- if (!has_equal_members(record$settings)) "; other members have other scores"
    return(paste0("equivalence class of ", proved, differ))
  }
  if (same_arcs(now, with_turned(learned))) return(paste("skeleton of", proved))
  if (same_arcs(now, with_turned(rbind(unname(learned), marriages(learned))))) {
    return(paste("moral graph of", proved))
  }
  set <- nodes_without_arcs(now, learned)
  if (length(set) > 0L) cli::format_inline("{proved}, without the arcs into {.val {set}}")
}

same_arcs <- function(one, other) setequal(arc_labels(one), arc_labels(other))

with_turned <- function(arcs) rbind(unname(arcs), unname(arcs[, 2:1, drop = FALSE]))

# Of the equivalence class of a network, arcs without a direction both ways.
class_arcs <- function(nodes, arcs) {
  labelled <- label_arcs(dag_of_arcs(nodes, arcs))
  named <- cbind(nodes[labelled$from], nodes[labelled$to])
  rbind(named, named[!labelled$compelled, 2:1, drop = FALSE])
}

# The pairs of parents of a common child.
marriages <- function(arcs) {
  parents <- split(arcs[, 1L], arcs[, 2L])
  pairs <- lapply(Filter(function(some) length(some) > 1L, parents), function(some) {
    t(utils::combn(some, 2L))
  })
  do.call(rbind, c(list(matrix(character(), 0L, 2L)), unname(pairs)))
}

# The nodes into which all arcs have gone, if nothing else was changed.
nodes_without_arcs <- function(now, learned) {
  lost <- !arc_labels(learned) %in% arc_labels(now)
  gone <- unique(learned[lost, 2L])
  whole <- nrow(now) == sum(!lost) && all(lost[learned[, 2L] %in% gone])
  if (whole) unname(gone)
}

# Do all networks of an equivalence class have the same score?
has_equal_members <- function(settings) {
  score <- settings$score
  equivalent <- c("bde", "loglik", "bic", "aic", "ebic", "qnml", "bge", "loglik-g", "bic-g",
                  "aic-g", "ebic-g")
  !is.null(score) && score$label %in% equivalent && is.null(score$prior) &&
    is.null(settings$targets)
}
