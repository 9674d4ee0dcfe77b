package e2e

// Names are what a person reads, and what assistive software says.
var a11yNames = []fault{
	{"button_of_nested_spans", func(f *trial) {
		f.load(`<button><span><svg aria-hidden=true width=9 height=9></svg></span><span><span>Add New Item</span></span></button>`)
		// One line: the name is not told again as a text below.
		f.lists("Add New Item", 1)
		f.lists(`- button "Add New Item" [ref=`, 1)
	}},
	{"style_and_script_in_names", func(f *trial) {
		f.load(`<div role=navigation><style>.x{color:red}</style><script>var s="sentinel"</script><a href="#">Home<style>.y{color:red}</style></a></div>
			<button>Go<template>sentinel</template><script>"sentinel"</script></button><h2>News<style>.z{color:red}</style></h2>
			<input aria-labelledby=l><label id=l>Mail<style>.w{color:red}</style></label>`)
		f.reads(nil, []string{"color:red", "sentinel"})
		for _, line := range []string{`link "Home"`, `button "Go"`, `heading "News"`, `textbox "Mail"`} {
			f.lists(line, 1)
		}
	}},
	{"placeholder_and_pseudo_text", func(f *trial) {
		f.load(`<input id=i aria-labelledby=i placeholder="Your email"><input placeholder=PH><button class=b>Next</button><style>.b::before{content:"* "}</style>
			<label>City<input placeholder="e.g. Cork" id=c></label>`)
		f.lists("Your email", 1)
		f.lists(`textbox "PH"`, 1)
		f.lists(`button "* Next"`, 1)
		f.lists(`placeholder="e.g. Cork"`, 1)
		// A value does not push the name or the placeholder out.
		f.fill(css("#i"), "ada@x.test")
		f.lists("Your email", 1)
		f.lists(`value="ada@x.test"`, 1)
		f.is("[i.value, c.value]", `["ada@x.test",""]`)
	}},
}
