package files

import (
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"
)

// anyType is the type of bytes of which nothing is known.
const anyType = "application/octet-stream"

// maxName is the longest name, in bytes: file systems take 255.
const maxName = 200

// CleanName is a name that is safe to write into a folder, a header or a line: without folders, control characters and
// characters that some system gives a meaning. Where nothing is left it is file, with the ending of the type.
func CleanName(name, mimeType string) string {
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.Is(unicode.C, r) || strings.ContainsRune(`<>:"|?*`, r) {
			return -1
		}
		return r
	}, name)
	if len(name) > maxName { // the ending says how it is opened, so the middle goes
		ending := ""
		if i := strings.LastIndexByte(name, '.'); i >= 0 && len(name)-i <= 16 {
			ending = name[i:]
		}
		name = strings.ToValidUTF8(name[:maxName-len(ending)], "") + ending
	}
	if name = strings.Trim(name, ". "); name != "" {
		return name
	}
	return "file" + Ending(mimeType)
}

// Ending is how the name of a file of this type ends, with its dot; empty for the types that no action makes.
func Ending(mimeType string) string { return endings[mimeType] }

var endings = map[string]string{"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "application/pdf": ".pdf"}

// cleanType is a media type that can stand in a header.
func cleanType(mimeType string) string {
	kind, parameters, err := mime.ParseMediaType(mimeType)
	if err != nil || !strings.Contains(kind, "/") {
		return anyType
	}
	if clean := mime.FormatMediaType(kind, parameters); clean != "" {
		return clean
	}
	return anyType
}
