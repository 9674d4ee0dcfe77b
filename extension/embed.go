// Package extension holds the built browser extension, so that the one binary can write it to disk
// and launch a browser with it.
package extension

import (
	"embed"
	"io/fs"
)

// ID is the extension's id, fixed by the key in its manifest.
const ID = "hlnomgpkpndcppfcepkflgdcebgidkeg"

// Origin is what a browser sends as Origin when the extension connects.
const Origin = "chrome-extension://" + ID

// The build puts it there: run "npm run build" in this folder (make does).
//
//go:embed all:dist
var dist embed.FS

// Files returns the unpacked extension: manifest.json at the root, ready to be written to a folder.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // "dist" is a valid path: this cannot happen
	}
	return files
}
