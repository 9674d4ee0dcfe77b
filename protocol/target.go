package protocol

// Target names one element: exactly one of uid and selector.
type Target struct {
	// The element's uid as a snapshot, extract, find or an earlier result told it.
	UID string `json:"uid,omitempty" jsonschema:"pattern=^e[0-9]+$,maxLength=16"`
	// A CSS selector, for what has no uid. The first match in document order, open and closed
	// shadow roots included.
	Selector string `json:"selector,omitempty" jsonschema:"minLength=1,maxLength=4096"`
}

// MaybeTarget names one element or none: at most one of uid and selector.
type MaybeTarget struct {
	// The element's uid.
	UID string `json:"uid,omitempty" jsonschema:"pattern=^e[0-9]+$,maxLength=16"`
	// A CSS selector.
	Selector string `json:"selector,omitempty" jsonschema:"minLength=1,maxLength=4096"`
}

// Point is a place in the viewport, in CSS pixels from its top left corner.
type Point struct {
	// To the right.
	X float64 `json:"x" jsonschema:"minimum=0,maximum=1000000"`
	// Down.
	Y float64 `json:"y" jsonschema:"minimum=0,maximum=1000000"`
}

// File is a file's bytes.
type File struct {
	// The file's name, without folders.
	Name string `json:"name" jsonschema:"minLength=1,maxLength=255"`
	// Its type, such as application/pdf.
	MimeType string `json:"mimeType" jsonschema:"maxLength=255"`
	// Its bytes, base64.
	Data string `json:"data"`
}
