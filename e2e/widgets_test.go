package e2e

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
	"sync"
)

// widgets are pages of real widget libraries from npm. Every host of the site serves
//
//	/npm/…           the installed packages, as they are on disk
//	/widgets/x.html  the page e2e/widgets/pages/x.html
//
// and every host below kitchensink.test serves the app of cypress-example-kitchensink, whose addresses begin at the root.
var widgets = struct{ packages, pages, kitchenSink http.Handler }{
	packages:    http.StripPrefix("/npm/", http.FileServerFS(os.DirFS(packagesDir))),
	pages:       http.StripPrefix("/widgets/", widgetPages(os.DirFS("widgets/pages"))),
	kitchenSink: kitchenSink(os.DirFS(packagesDir + "/cypress-example-kitchensink/app")),
}

const packagesDir = "widgets/node_modules"

// importMapMark is where a page gets its import map: browsers take one only when it stands in the page.
const importMapMark = "<!-- importmap -->"

// widgetPages serves pages that may import packages by their names.
func widgetPages(pages fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, err := fs.ReadFile(pages, r.URL.Path)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		modules, err := importMap()
		if err != nil {
			http.Error(w, err.Error()+": install them with make e2e/widgets/node_modules/.installed", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(strings.Replace(string(page), importMapMark, `<script type="importmap">`+modules+`</script>`, 1)))
	})
}

// cleanPages serves a folder whose pages are linked to without their ending.
func cleanPages(files fs.FS) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if _, err := fs.Stat(files, name+".html"); err == nil {
			http.ServeFileFS(w, r, files, name+".html")
			return
		}
		server.ServeHTTP(w, r)
	})
}

// importMap maps the names of all packages that are ES modules to their files.
var importMap = sync.OnceValues(func() (string, error) {
	packages := os.DirFS(packagesDir)
	manifests, err := fs.Glob(packages, "*/package.json")
	scoped, scopedErr := fs.Glob(packages, "@*/*/package.json")
	if err := errors.Join(err, scopedErr); err != nil {
		return "", err
	}
	imports := map[string]string{}
	for _, manifest := range append(manifests, scoped...) {
		raw, err := fs.ReadFile(packages, manifest)
		if err != nil {
			return "", err
		}
		name := path.Dir(manifest)
		for specifier, file := range modulesOf(raw) {
			imports[path.Join(name, specifier)] = "/npm/" + path.Join(name, file)
		}
	}
	if len(imports) == 0 {
		return "", errors.New("no package is in e2e/" + packagesDir)
	}
	encoded, err := json.Marshal(map[string]any{"imports": imports})
	return string(encoded), err
})

// modulesOf are a package's own names for its modules ("." is the package itself) and their files.
func modulesOf(manifest []byte) map[string]string {
	var told struct {
		Module  string
		Exports json.RawMessage
	}
	if err := json.Unmarshal(manifest, &told); err != nil {
		return nil
	}
	modules := map[string]string{}
	if told.Module != "" {
		modules["."] = told.Module
	}
	var exports map[string]json.RawMessage
	if json.Unmarshal(told.Exports, &exports) != nil {
		return modules
	}
	if exports["."] == nil { // the conditions of the package itself
		exports = map[string]json.RawMessage{".": told.Exports}
	}
	for specifier, target := range exports {
		if file := moduleOf(target); file != "" && !strings.Contains(specifier, "*") {
			modules[specifier] = file
		}
	}
	return modules
}

// moduleOf is the file that a browser would import of an export: a path, or one for each of several conditions.
func moduleOf(target json.RawMessage) string {
	var file string
	if json.Unmarshal(target, &file) == nil {
		return file
	}
	var conditions map[string]json.RawMessage
	if json.Unmarshal(target, &conditions) != nil {
		return ""
	}
	for _, condition := range []string{"browser", "import", "module", "production", "default"} {
		if file := moduleOf(conditions[condition]); file != "" {
			return file
		}
	}
	return ""
}
