package e2e

// Masks rewrite what is typed: the answer says what came of it, and never that all is as asked when it is not.
var masks = []fault{
	{"digit_like_the_prefix", func(f *trial) {
		f.load(`<input id=i aria-label=Phone><script>
			i.onfocus = () => { if (!i.value) i.value = '+1 '; };
			i.oninput = () => { let d = i.value.replace(/\D/g, ''); if (d.startsWith('1')) d = d.slice(1); if (d.startsWith('1')) d = d.slice(1); i.value = '+1 ' + d; }</script>`)
		phone := f.ref("textbox", "Phone")
		for _, asked := range []string{"12125550000", "+12125550000"} {
			result := f.fill(phone, asked)
			f.until("i.value", `"+1 2125550000"`)
			f.holds("the phone", result.Value, "+1 2125550000")
			f.tells(result.Notes, "+1 2125550000")
		}
	}},
	{"formatted_value_over_another", func(f *trial) {
		f.load(`<input id=i aria-label=Phone value="+7 (999) 888-77-66"><script>
			i.oninput = () => {
				let d = i.value.replace(/\D/g, ''); if (d.startsWith('7')) d = d.slice(1);
				const at = (from, to) => d.slice(from, to);
				i.value = '+7 (' + at(0, 3) + (d.length > 3 ? ') ' + at(3, 6) : '') + (d.length > 6 ? '-' + at(6, 8) : '') + (d.length > 8 ? '-' + at(8, 10) : '');
			}</script>`)
		result := f.fill(f.ref("textbox", "Phone"), "+7 (123) 123-12-34")
		f.until("i.value", `"+7 (123) 123-12-34"`)
		f.holds("the phone", result.Value, "+7 (123) 123-12-34")
	}},
}
