# Seals: how a certificate tells that nobody changed it.
#
# The record behind a certificate is a list that everybody can edit. What the search proved cannot
# be read off a network alone, so a record is sealed when it is made: `seal` is a hash of one string
# that spells out all other parts. The string depends on what the record says, not on how R holds
# it, so that a seal outlives files, copies, and versions of R. It guards against slips, not
# against fraud: anybody can seal a false record.

# The network with this record, sealed. Whatever makes or changes a record ends here.
with_record <- function(network, record) {
  record$seal <- seal_of(record)
  network$learning$optbn <- record
  network
}

seal_of <- function(record) core_hash(core_spelled(record[order_of_parts(record)]))

is_sealed <- function(record) {
  is_plain_list(unclass(record)) && identical(record$seal, seal_of(record))
}

# Parts that say something, in an order that no locale changes. `partitions` are no part of what
# was proved, `valid` and `relation` are computed each time.
order_of_parts <- function(record) {
  said <- names(record)[!vapply(record, is.null, NA)]
  sort(setdiff(as.character(said), c("seal", "partitions", "valid", "relation")), method = "radix")
}
