package e2e

import (
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

const muiPage = `<script src="/npm/react/umd/react.production.min.js"></script><script src="/npm/react-dom/umd/react-dom.production.min.js"></script><script src="/npm/@mui/material/umd/material-ui.production.min.js"></script>
	<div id=root></div>
	<script>
	const h = React.createElement, M = MaterialUI, log = [];
	let state = {};
	const option = value => h(M.MenuItem, {key: value, value}, value);
	function App() {
		const [now, set] = React.useState({age: '', tags: [], city: null, volume: 30, range: [20, 60], day: '', name: '', agree: false, dark: false, size: 'm', tab: 0, open: false, menu: null, toast: false, fold: false});
		state = now;
		const put = key => value => set(old => ({...old, [key]: value}));
		const text = key => event => put(key)(event.target.value);
		return h('main', {style: {padding: 20, maxWidth: 600}},
			h(M.FormControl, {fullWidth: true}, h(M.InputLabel, {id: 'al'}, 'Age'), h(M.Select, {labelId: 'al', id: 'age', label: 'Age', value: now.age, onChange: text('age')}, ['Ten', 'Twenty', 'Thirty'].map(option))),
			h(M.FormControl, {fullWidth: true}, h(M.InputLabel, {id: 'tl'}, 'Tags'), h(M.Select, {labelId: 'tl', id: 'tags', label: 'Tags', multiple: true, value: now.tags, onChange: text('tags')}, ['red', 'green', 'blue'].map(option))),
			h(M.Autocomplete, {options: ['Aachen', 'Berlin', 'Bern'], value: now.city, onChange: (e, value) => put('city')(value), renderInput: params => h(M.TextField, {...params, label: 'City'})}),
			h(M.TextField, {id: 'name', label: 'Name', value: now.name, onChange: e => put('name')(e.target.value.toUpperCase())}),
			h(M.TextField, {id: 'day', label: 'Day', type: 'date', value: now.day, onChange: text('day'), InputLabelProps: {shrink: true}}),
			h('div', {style: {width: 300, margin: 20}}, h(M.Slider, {'aria-label': 'Volume', value: now.volume, onChange: (e, value) => put('volume')(value)})),
			h('div', {style: {width: 300, margin: 20}}, h(M.Slider, {getAriaLabel: i => ['From', 'To'][i], value: now.range, onChange: (e, value) => put('range')(value)})),
			h(M.FormControlLabel, {label: 'I agree', control: h(M.Checkbox, {checked: now.agree, onChange: e => put('agree')(e.target.checked)})}),
			h(M.FormControlLabel, {label: 'Dark mode', control: h(M.Switch, {checked: now.dark, onChange: e => put('dark')(e.target.checked)})}),
			h(M.RadioGroup, {row: true, value: now.size, onChange: text('size')}, ['s', 'm', 'l'].map(value => h(M.FormControlLabel, {key: value, value, label: 'Size ' + value, control: h(M.Radio)}))),
			h(M.Rating, {name: 'stars', onChange: (e, value) => log.push('stars ' + value)}),
			h(M.Tabs, {value: now.tab, onChange: (e, value) => put('tab')(value)}, h(M.Tab, {label: 'One'}), h(M.Tab, {label: 'Two'})),
			h(M.Button, {onClick: () => put('open')(true)}, 'Delete'),
			h(M.Dialog, {open: now.open, onClose: () => put('open')(false), 'aria-labelledby': 'dt'}, h(M.DialogTitle, {id: 'dt'}, 'Delete this?'), h(M.DialogContent, null, h(M.TextField, {id: 'why', label: 'Why', onChange: e => log.push(e.target.value)})),
				h(M.DialogActions, null, h(M.Button, {onClick: () => put('open')(false)}, 'Keep'), h(M.Button, {onClick: () => { log.push('deleted'); put('open')(false); }}, 'Do it'))),
			h(M.Button, {id: 'more', onClick: e => put('menu')(e.currentTarget)}, 'More'),
			h(M.Menu, {open: now.menu !== null, anchorEl: now.menu, onClose: () => put('menu')(null)}, ['Copy', 'Paste'].map(what => h(M.MenuItem, {key: what, disabled: what === 'Paste', onClick: () => { log.push(what); put('menu')(null); }}, what))),
			h(M.Tooltip, {title: 'Tells more'}, h(M.Button, {id: 'tipped'}, 'Tipped')),
			h(M.Accordion, null, h(M.AccordionSummary, {id: 'as'}, 'Shipping'), h(M.AccordionDetails, null, 'On its way')),
			h(M.Chip, {label: 'Chip', onDelete: () => log.push('chip gone')}));
	}
	ReactDOM.createRoot(root).render(h(App));
	requestAnimationFrame(() => { ready = true; });
	</script>`

func TestWidgetMUI(t *testing.T) {
	t.Parallel()
	uses{
		"select": func(f *trial) {
			f.choose(css("#age"), "Twenty")
			f.until("state.age", `"Twenty"`)
			f.until("document.querySelectorAll('[role=listbox]').length", "0")
			f.choose(f.ref("combobox", "Age Twenty"), "Ten") // it is named by what it holds too
			f.until("state.age", `"Ten"`)
		},
		"select_by_clicks": func(f *trial) {
			f.press(f.ref("combobox", "Age"))
			f.press(f.lateRef("option", "Thirty"))
			f.until("state.age", `"Thirty"`)
		},
		"select_several": func(f *trial) {
			f.choose(css("#tags"), "red", "blue")
			f.until("state.tags", `["red","blue"]`)
		},
		"autocomplete": func(f *trial) {
			f.choose(f.ref("combobox", "City"), "Bern")
			f.until("state.city", `"Bern"`)
		},
		"autocomplete_typed": func(f *trial) {
			f.typed(f.ref("combobox", "City"), "ber", false)
			f.press(f.lateRef("option", "Berlin"))
			f.until("state.city", `"Berlin"`)
		},
		"controlled_text": func(f *trial) {
			f.fill(f.ref("textbox", "Name"), "ada")
			f.until("[state.name, document.getElementById('name').value]", `["ADA","ADA"]`)
		},
		"date": func(f *trial) {
			f.fill(css("#day"), "2025-07-09")
			f.until("state.day", `"2025-07-09"`)
		},
		"slider": func(f *trial) {
			f.fill(f.ref("slider", "Volume"), "70")
			f.until("state.volume", "70")
			f.dragBy(".MuiSlider-thumb", -60, 0)
			f.until("state.volume", "50")
			f.key("ArrowRight", "[aria-label=Volume]")
			f.until("state.volume", "51")
		},
		"slider_of_two": func(f *trial) {
			f.fill(f.ref("slider", "To"), "90")
			f.fill(f.ref("slider", "From"), "10")
			f.until("state.range", "[10,90]")
		},
		"boxes": func(f *trial) {
			f.press(f.ref("checkbox", "I agree"))
			f.until("state.agree", "true")
			f.fill(f.ref("checkbox", "I agree"), "false")
			f.until("state.agree", "false")
			f.press(css("[value=l]"))
			f.until("state.size", `"l"`)
			f.fill(f.ref("radio", "Size s"), "true")
			f.until("state.size", `"s"`)
			f.fill(css(".MuiSwitch-input"), "true")
			f.until("state.dark", "true")
		},
		"rating": func(f *trial) {
			f.press(f.ref("radio", "4 Stars"))
			f.until("log", `["stars 4"]`)
		},
		"tabs": func(f *trial) {
			f.press(f.ref("tab", "TWO"))
			f.until("state.tab", "1")
		},
		"dialog": func(f *trial) {
			f.press(f.ref("button", "DELETE"))
			f.fill(f.lateRef("textbox", "Why"), "old")
			f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css("#more")}, "covered")
			f.press(f.ref("button", "DO IT"))
			f.until("[state.open, log.at(-1)]", `[false,"deleted"]`)
			f.press(f.lateRef("button", "DELETE"))
			f.key("Escape", "")
			f.until("state.open", "false")
		},
		"menu": func(f *trial) {
			f.press(css("#more"))
			f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: f.lateRef("menuitem", "Paste")}, "disabled")
			f.press(f.lateRef("menuitem", "Copy"))
			f.until("log", `["Copy"]`)
		},
		"tooltip": func(f *trial) {
			f.point(css("#tipped"))
			f.until("document.querySelector('[role=tooltip]')?.textContent ?? ''", `"Tells more"`)
		},
		"accordion_and_chip": func(f *trial) {
			f.press(f.ref("button", "Shipping"))
			do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, Text: "On its way"})
			f.press(css(".MuiChip-deleteIcon"))
			f.until("log", `["chip gone"]`)
		},
	}.tryOut(t, muiPage)
}
