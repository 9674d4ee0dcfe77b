package e2e

import (
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

const bootstrapPage = `<link rel=stylesheet href="/npm/bootstrap/dist/css/bootstrap.min.css"><script src="/npm/bootstrap/dist/js/bootstrap.bundle.min.js"></script>
	<div class="container p-3">
	<div class=dropdown><button class="btn btn-primary dropdown-toggle" data-bs-toggle=dropdown>More</button>
		<ul class=dropdown-menu><li><a class=dropdown-item href="#copy">Copy</a><li><a class="dropdown-item disabled" aria-disabled=true href="#paste">Paste</a><li><a class=dropdown-item href="#delete">Delete</a></ul></div>
	<button class=btn data-bs-toggle=collapse data-bs-target="#fold">Details</button><div id=fold class=collapse>What was folded</div>
	<button class=btn data-bs-toggle=modal data-bs-target="#modal">Rename</button>
	<button class=btn data-bs-toggle=offcanvas data-bs-target="#side">Cart</button>
	<button class=btn id=toaster>Save</button>
	<button class=btn id=tipped data-bs-toggle=tooltip title="Tells more">Tipped</button>
	<button class=btn id=popped data-bs-toggle=popover data-bs-content="All of it">Popped</button>
	<ul class="nav nav-tabs" role=tablist><li class=nav-item role=presentation><button class="nav-link active" data-bs-toggle=tab data-bs-target="#p1" role=tab>Home</button>
		<li class=nav-item role=presentation><button class=nav-link data-bs-toggle=tab data-bs-target="#p2" role=tab>Profile</button></ul>
	<div class=tab-content><div class="tab-pane fade show active" id=p1 role=tabpanel>Home is here</div><div class="tab-pane fade" id=p2 role=tabpanel>This is the profile</div></div>
	<div class="form-check form-switch"><input class=form-check-input type=checkbox role=switch id=dark><label class=form-check-label for=dark>Dark mode</label></div>
	<input type=radio class=btn-check name=side id=left checked><label class="btn btn-outline-primary" for=left>Left</label><input type=radio class=btn-check name=side id=right><label class="btn btn-outline-primary" for=right>Right</label>
	<div class=form-floating><input class=form-control id=mail placeholder=x><label for=mail>Address</label></div>
	<label>Volume <input type=range class=form-range id=volume></label>
	<div id=cs class="carousel slide"><div class=carousel-inner><div class="carousel-item active">Slide one</div><div class=carousel-item>Slide two</div></div><button class=carousel-control-next data-bs-target="#cs" data-bs-slide=next><span class=visually-hidden>Next</span></button></div>
	<div class="alert alert-warning alert-dismissible fade show" role=alert>The disk is full<button class=btn-close data-bs-dismiss=alert aria-label="Close alert"></button></div>
	</div>
	<div id=modal class="modal fade" tabindex=-1 aria-labelledby=mt><div class=modal-dialog><div class=modal-content><div class=modal-header><h5 id=mt>Rename the file</h5><button class=btn-close data-bs-dismiss=modal aria-label=Close></button></div>
		<div class=modal-body><label>New name <input id=name class=form-control></label></div><div class=modal-footer><button class=btn data-bs-dismiss=modal>Cancel</button><button class=btn id=ok data-bs-dismiss=modal>Apply</button></div></div></div></div>
	<div id=side class="offcanvas offcanvas-end" tabindex=-1 aria-label=Cart><div class=offcanvas-body><button class=btn id=pay>Pay</button><button class=btn-close data-bs-dismiss=offcanvas aria-label="Close cart"></button></div></div>
	<div class="toast-container position-fixed bottom-0 end-0 p-3"><div id=toast class=toast role=alert data-bs-autohide=false><div class=toast-body>It was saved</div><button class=btn-close data-bs-dismiss=toast aria-label="Close toast"></button></div></div>
	<script>
	const log = [];
	document.getElementById('ok').onclick = () => log.push('renamed ' + document.getElementById('name').value);
	pay.onclick = () => log.push('paid');
	toaster.onclick = () => bootstrap.Toast.getOrCreateInstance(toast).show();
	for (const it of document.querySelectorAll('[data-bs-toggle=tooltip]')) new bootstrap.Tooltip(it);
	for (const it of document.querySelectorAll('[data-bs-toggle=popover]')) new bootstrap.Popover(it);
	for (const type of ['shown', 'hidden']) for (const what of ['modal', 'offcanvas', 'collapse', 'toast', 'dropdown']) addEventListener(type + '.bs.' + what, () => log.push(type + ' ' + what));
	ready = true;
	</script>`

func TestWidgetBootstrap(t *testing.T) {
	t.Parallel()
	seen := func(selector string) string {
		return "document.querySelector('" + selector + "')?.checkVisibility({visibilityProperty: true}) ?? false"
	}
	uses{
		"dropdown": func(f *trial) {
			f.press(f.ref("button", "More"))
			f.press(f.lateRef("link", "Delete"))
			f.until("location.hash", `"#delete"`)
			f.until("log", `["shown dropdown","hidden dropdown"]`)
			f.press(f.ref("button", "More"))
			f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css(".dropdown-item.disabled")}, "disabled")
			f.key("Escape", "")
			f.until(seen(".dropdown-menu"), "false")
		},
		"collapse": func(f *trial) {
			f.press(f.ref("button", "Details"))
			do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, Text: "What was folded"})
			f.until("log", `["shown collapse"]`)
			f.press(f.ref("button", "Details"))
			f.until("log", `["shown collapse","hidden collapse"]`)
		},
		"modal": func(f *trial) {
			f.press(f.ref("button", "Rename"))
			f.fill(f.lateRef("textbox", "New name"), "report.txt")
			f.press(f.ref("button", "Apply"))
			f.until("log", `["shown modal","renamed report.txt","hidden modal"]`)
			f.press(f.lateRef("button", "Rename"))
			f.press(f.lateRef("button", "Close"))
			f.until("log.at(-1)", `"hidden modal"`)
		},
		"modal_keeps_the_page_away": func(f *trial) {
			f.press(f.ref("button", "Rename"))
			f.until(seen("#modal.show"), "true")
			f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css("#toaster")}, "covered", "Rename the file")
			f.is(seen("#toast"), "false")
			f.key("Escape", "")
			f.until(seen("#modal"), "false")
		},
		"offcanvas": func(f *trial) {
			f.press(f.ref("button", "Cart"))
			f.press(f.lateRef("button", "Pay"))
			f.until("log.includes('paid')", "true")
			f.press(css("[data-bs-dismiss=offcanvas]"))
			f.until(seen("#side"), "false")
		},
		"toast": func(f *trial) {
			f.press(f.ref("button", "Save"))
			do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, Text: "It was saved"})
			f.press(f.lateRef("button", "Close toast"))
			f.until(seen("#toast"), "false")
		},
		"tooltip": func(f *trial) {
			f.point(css("#tipped"))
			f.until("document.querySelector('.tooltip-inner')?.textContent ?? ''", `"Tells more"`)
			f.point(css("#popped"))
			f.until("document.querySelectorAll('.tooltip').length", "0")
		},
		"popover": func(f *trial) {
			f.press(css("#popped"))
			f.until("document.querySelector('.popover-body')?.textContent ?? ''", `"All of it"`)
		},
		"tab": func(f *trial) {
			f.press(f.ref("tab", "Profile"))
			do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, Text: "This is the profile"})
			f.until("["+seen("#p1")+", "+seen("#p2")+"]", "[false,true]")
		},
		"switch_and_radios": func(f *trial) {
			f.press(f.ref("switch", "Dark mode"))
			f.until("dark.checked", "true")
			f.fill(f.ref("radio", "Right"), "true")
			f.until("right.checked", "true")
			f.press(css("label[for=left]"))
			f.until("left.checked", "true")
		},
		"fields": func(f *trial) {
			f.fill(f.ref("textbox", "Address"), "a@b.test")
			f.until("mail.value", `"a@b.test"`)
			f.fill(f.ref("slider", "Volume"), "70")
			f.until("volume.value", `"70"`)
		},
		"carousel": func(f *trial) {
			f.press(f.ref("button", "Next"))
			f.until("document.querySelector('.carousel-item.active').textContent", `"Slide two"`)
		},
		"alert": func(f *trial) {
			f.press(f.ref("button", "Close alert"))
			f.until("document.querySelectorAll('.alert').length", "0")
		},
	}.tryOut(t, bootstrapPage)
}
