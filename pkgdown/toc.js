// The contents of a page beside its text, as pkgdown's own script asks for them: nested lists of
// links to the headings of the two topmost levels that occur.
window.Toc = {
  init: function (options) {
    var nav = options.$nav;
    if (nav.length === 0) return;
    var headings = options.$scope.filter(function () {
      return !this.hasAttribute("data-toc-skip");
    });
    var level = function (heading) { return Number(heading.tagName.charAt(1)); };
    var levels = headings.get().map(level);
    var top = Math.min.apply(null, levels);

    var list = function (kind) { return $("<ul>").addClass(kind); };
    var outer = list("nav nav-pills flex-column").appendTo(nav);
    var last = null;
    headings.each(function () {
      if (level(this) > top + 1) return;
      if (!this.id) this.id = this.textContent.trim().replace(/[^A-Za-z0-9]+/g, "-").toLowerCase();
      var text = $(this).clone();
      text.find(".anchor").remove();
      var link = $("<a>").addClass("nav-link").attr("href", "#" + this.id).text(text.text().trim());
      var item = $("<li>").append(link);
      if (level(this) === top || last === null) {
        last = item.appendTo(outer);
        return;
      }
      if (last.children("ul").length === 0) last.append(list("nav nav-pills flex-column"));
      item.appendTo(last.children("ul"));
    });
  }
};
