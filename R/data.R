# Documentation of the data sets in data/, which tools/data.R makes.

#' Animals of a Zoo
#'
#' What 101 animals have and do, and the class of animal: a small table of categorical columns.
#'
#' @format A data frame with 101 rows and 17 factors: `hair`, `feathers`, `eggs`, `milk`,
#'   `airborne`, `aquatic`, `predator`, `toothed`, `backbone`, `breathes`, `venomous`, `fins`,
#'   `tail`, `domestic` and `catsize` with the levels `no` and `yes`; `legs`, their number in
#'   words; and `type`.
#' @source Forsyth, R. (1990). *Zoo*. UCI Machine Learning Repository, licensed CC BY 4.0.
#'   \doi{10.24432/C5R59V}. The animals' names are left out; true and false became `yes` and `no`,
#'   numbers of legs words, and numbered types names.
#' @examples
#' learn_dag(zoo, score = "bic")
"zoo"

#' Mushrooms
#'
#' Descriptions of gilled mushrooms of 23 species, and whether they are edible. It is no guide to
#' what can be eaten.
#'
#' @format A data frame with 8,124 rows and 22 factors, from `cap_shape` to `habitat`, and `class`,
#'   with the levels `edible` and `poisonous`. Unknown values of `stalk_root` are a level of their
#'   own, `missing`.
#' @source *Mushroom* (1981). UCI Machine Learning Repository, licensed CC BY 4.0.
#'   \doi{10.24432/C5959T}. Drawn from *The Audubon Society Field Guide to North American Mushrooms*
#'   (1981); donor: Jeff Schlimmer. Letters became the words that they stand for; the column
#'   `veil_type`, the same in every row, is left out.
#' @examples
#' table(mushroom$odor, mushroom$class)
"mushroom"

#' Contraception in Indonesia
#'
#' 1,473 married women who were asked in a survey of 1987: a table of mixed columns.
#'
#' @format A data frame with 1,473 rows and 10 columns: the whole numbers `age` and `children`; the
#'   factors `education`, `husband_education` and `living` (their standard of living), whose levels
#'   are `low`, `mid-low`, `mid-high` and `high`, in the order of the alphabet; `religion`,
#'   `working`, `husband_job` (`a` to `d`), `media` (exposure to it), and `method`, the
#'   contraceptive method.
#' @source Lim, T.-S. *Contraceptive Method Choice*. UCI Machine Learning Repository, licensed CC BY
#'   4.0. \doi{10.24432/C59W2D}. Part of the 1987 National Indonesia Contraceptive Prevalence
#'   Survey. Codes became words; column names are shorter.
#' @examples
#' summary(contraception[c("age", "children", "method")])
"contraception"

#' Proteins Under Interventions
#'
#' Eleven proteins that pass signals on to one another, measured in single cells of the immune
#' system. In some cells one of five proteins was set by a substance.
#'
#' @format A data frame with 5,400 rows and 12 factors: `raf`, `mek`, `plc`, `pip2`, `pip3`, `erk`,
#'   `akt`, `pka`, `pkc`, `p38` and `jnk`, with the levels `low`, `mid` and `high` in the order of
#'   the alphabet; and `target`, the protein that was set, an empty string where none was.
#' @source Sachs, K., Perez, O., Pe'er, D., Lauffenburger, D. A. and Nolan, G. P. (2005). Causal
#'   protein-signaling networks derived from multiparameter single-cell data. *Science* 308,
#'   523-529. \doi{10.1126/science.1105809}. Taken from the R package sparsebn (GPL), which has
#'   them in three levels.
#' @examples
#' learn_dag(sachs, "bde", targets = "target")
"sachs"
