# Documentation of the data sets in data/, which tools/data.R makes.

#' Animals of a Zoo
#'
#' Characteristics of 101 animals and their class: a small table of categorical columns.
#'
#' @format A data frame with 101 rows and 17 factors: `hair`, `feathers`, `eggs`, `milk`,
#' `airborne`, `aquatic`, `predator`, `toothed`, `backbone`, `breathes`, `venomous`, `fins`, `tail`,
#' `domestic` and `catsize` with the levels `no` and `yes`; `legs`, their number as a word; and
#' `type`.
#' @source Forsyth, R. (1990). *Zoo*. UCI Machine Learning Repository, licensed CC BY 4.0.
#'   \doi{10.24432/C5R59V}. The animals' names are left out; true and false became `yes` and `no`,
#'   and the numbers of legs and of types became words.
#' @examples
#' learn_dag(zoo, score = "bic")
"zoo"

#' Mushrooms
#'
#' Descriptions of gilled mushrooms of 23 species, and whether they are edible. Do not use them to
#' decide what to eat.
#'
#' @format A data frame with 8,124 rows and 22 factors: 21 from `cap_shape` to `habitat`, and
#' `class` with the levels `edible` and `poisonous`. Unknown values of `stalk_root` have the level
#' `missing`.
#' @source *Mushroom* (1981). UCI Machine Learning Repository, licensed CC BY 4.0.
#'   \doi{10.24432/C5959T}. Drawn from *The Audubon Society Field Guide to North American Mushrooms*
#'   (1981); donor: Jeff Schlimmer. Letters became the words that they stand for; the column
#'   `veil_type`, the same in every row, is left out.
#' @examples
#' table(mushroom$odor, mushroom$class)
"mushroom"

#' Contraception in Indonesia
#'
#' 1,473 married women in a survey of 1987: a table of mixed columns.
#'
#' @format A data frame with 1,473 rows and 10 columns: the whole numbers `age` and `children`; the
#' factors `education`, `husband_education` and `living` (the standard of living), whose levels are
#' `low`, `mid-low`, `mid-high` and `high`, in alphabetical order; `religion`, `working`,
#' `husband_job` (`a` to `d`), `media` (exposure to media), and `method`, the contraceptive method.
#' @source Lim, T.-S. *Contraceptive Method Choice*. UCI Machine Learning Repository, licensed CC BY
#'   4.0. \doi{10.24432/C59W2D}. Part of the 1987 National Indonesia Contraceptive Prevalence
#'   Survey. Codes became words; column names are shorter.
#' @examples
#' summary(contraception[c("age", "children", "method")])
"contraception"

#' Proteins Under Interventions
#'
#' Eleven proteins of a signalling pathway, measured in single cells of the immune system. In some
#' cells a substance set one of five proteins.
#'
#' @format A data frame with 5,400 rows and 12 factors: `raf`, `mek`, `plc`, `pip2`, `pip3`, `erk`,
#' `akt`, `pka`, `pkc`, `p38` and `jnk`, with the levels `low`, `mid` and `high` in alphabetical
#' order; and `target`, the protein that was set, an empty string if none was.
#' @source Sachs, K., Perez, O., Pe'er, D., Lauffenburger, D. A. and Nolan, G. P. (2005). Causal
#'   protein-signaling networks derived from multiparameter single-cell data. *Science* 308,
#'   523-529. \doi{10.1126/science.1105809}. Taken from the R package sparsebn (GPL), which has
#'   them in three levels.
#' @examples
#' learn_dag(sachs, "bde", targets = "target")
"sachs"
