# The colours, lines and sizes of all pictures.

# Colours that stay apart for colour-blind readers and in grey (Okabe and Ito 2008).
arc_colours <- c(learned = "#4D4D4D", whitelisted = "#0072B2", `in both` = "#8C8C8C",
                 `only in the first` = "#0072B2", `only in the second` = "#D55E00",
                 turned = "#882E72", highlighted = "#D55E00")
arc_line_types <- c(learned = "solid", whitelisted = "42", `in both` = "solid",
                    `only in the first` = "solid", `only in the second` = "42", turned = "13",
                    highlighted = "solid")
arc_line_widths <- c(learned = 1, whitelisted = 1.6, `in both` = 1, `only in the first` = 1.6,
                     `only in the second` = 1.6, turned = 1.8, highlighted = 1.6)
box_fill <- "#EEF3F7"
box_border <- "#5B6B7A"
kind_fills <- c(tree = "#FBE6C8", table = "#DCEBF7", Gaussian = "#DDF0E6") # of marked nodes
search_colours <- c(bound = "#D55E00", score = "#0072B2")
gap_fill <- "#FBEBD3"
end_sizes <- c(bound = 3.4, score = 2)
