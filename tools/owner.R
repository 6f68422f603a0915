# Writes who owns the package, and where it lives, into the files that say so: `make owner`.
#
# tools/owner.dcf is the one place to fill in; what is empty there is left out:
#
#   Given, Family, Email   the maintainer
#   URL, BugReports        where the sources are, and where faults are reported
#   Site                   where build/site is published
#
# DESCRIPTION gets all of it, _pkgdown.yml the site. inst/CITATION reads DESCRIPTION when it is
# asked, and `make docs` brings the maintainer to the help page of the package.

owner <- trimws(read.dcf("tools/owner.dcf")[1L, ])
owner <- owner[!is.na(owner) & nzchar(owner)]
given <- function(field) if (field %in% names(owner)) owner[[field]]
quoted <- function(text) encodeString(text, quote = "\"")

# The lines without `field`, and its new ones at the place of the old, else after line `after`.
with_field <- function(lines, field, new, after) {
  of_field <- startsWith(lines, paste0(field, ":"))
  begins <- !grepl("^\\s+\\S", lines)
  old <- cumsum(begins) %in% cumsum(begins)[of_field]
  place <- if (any(old)) which(old)[1L] - 1L else after(lines)
  kept <- which(!old)
  c(lines[kept[kept <= place]], new, lines[kept[kept > place]])
}

field_line <- function(field, value) if (length(value)) paste0(field, ": ", value)

change_file <- function(file, change) {
  old <- readLines(file, encoding = "UTF-8")
  new <- change(old)
  if (!identical(old, new)) writeLines(new, file, useBytes = TRUE)
}

person <- c(
  sprintf("Authors@R: person(%s, role = c(\"aut\", \"cre\", \"cph\"),",
          paste(quoted(c(given("Given"), given("Family"))), collapse = ", ")),
  sprintf("    email = %s)", quoted(given("Email")))
)
addresses <- paste(c(given("Site"), given("URL")), collapse = ", ")

change_file("DESCRIPTION", function(lines) {
  after <- function(field) function(lines) which(startsWith(lines, paste0(field, ":")))
  lines <- with_field(lines, "Authors@R", person, after("Title"))
  lines <- with_field(lines, "BugReports", field_line("BugReports", given("BugReports")),
                      after("License"))
  with_field(lines, "URL", field_line("URL", addresses[nzchar(addresses)]), after("License"))
})
change_file("_pkgdown.yml", function(lines) {
  with_field(lines, "url", field_line("url", given("Site")), function(lines) 1L)
})
