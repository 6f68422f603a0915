// The search asks for its index with fetch(), which browsers refuse on pages that are opened as
// files. Here the index is a script, and its paths begin where the site does.
(function () {
  var fetched = window.fetch;
  window.fetch = function (what) {
    if (!/search\.json$/.test(what)) return fetched.apply(window, arguments);
    return new Promise(function (resolve, reject) {
      var script = document.createElement("script");
      script.src = String(what).replace(/json$/, "index.js");
      var root = new URL(".", new URL(script.src, location.href)).href;
      script.onload = function () {
        // Pages that only lead to others have empty entries.
        var full = window.searchIndex.filter(function (entry) {
          return typeof entry.path === "string";
        });
        var entries = full.map(function (entry) {
          var path = entry.path.replace(/^https?:\/\/[^\/]*/, "").replace(/^\//, "");
          return Object.assign({}, entry, { path: root + path });
        });
        resolve({ json: function () { return Promise.resolve(entries); } });
      };
      script.onerror = reject;
      document.head.appendChild(script);
    });
  };
})();
