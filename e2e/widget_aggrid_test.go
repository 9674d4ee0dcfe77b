package e2e

import (
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

const agGridPage = `<script src="/npm/ag-grid-community/dist/ag-grid-community.min.js"></script>
	<div id=grid style="height:320px;width:760px"></div>
	<script>
	const log = [];
	const api = agGrid.createGrid(grid, {
		columnDefs: [
			{field: 'make', filter: true, floatingFilter: true},
			{field: 'model', editable: true},
			{field: 'price', filter: 'agNumberColumnFilter', editable: true, cellEditor: 'agNumberCellEditor'},
			{field: 'fuel', editable: true, cellEditor: 'agSelectCellEditor', cellEditorParams: {values: ['Petrol', 'Diesel', 'Electric']}},
			{headerName: 'Act', cellRenderer: ({data}) => '<button onclick="log.push(\'bought ' + data.model + '\')">Buy</button>'},
		],
		defaultColDef: {width: 140},
		rowData: Array.from({length: 1000}, (_, i) => ({make: ['Toyota', 'Ford', 'Porsche'][i % 3], model: 'Model ' + i, price: (i * 7919) % 1000, fuel: 'Petrol'})),
		rowSelection: {mode: 'multiRow'},
		suppressColumnVirtualisation: true,
		onCellValueChanged: e => log.push(e.column.getColId() + ' ' + e.newValue),
		onFirstDataRendered: () => { ready = true; },
	});
	const shown = field => Array.from({length: api.getDisplayedRowCount()}, (_, i) => api.getDisplayedRowAtIndex(i).data[field]);
	const chosen = () => api.getSelectedRows().map(r => r.model);
	</script>`

func TestWidgetAGGrid(t *testing.T) {
	t.Parallel()
	cell := func(row, column string) protocol.Target {
		return css("[row-index='" + row + "'] [col-id='" + column + "']")
	}
	uses{
		"sort": func(f *trial) {
			header := css(".ag-header-cell[col-id=price] .ag-header-cell-label")
			f.press(header)
			f.until("shown('price').slice(0, 3)", "[0,1,2]")
			f.press(header)
			f.until("shown('price').slice(0, 3)", "[999,998,997]")
			f.gives("text", "[row-index='0'] [col-id=price]", "999")
		},
		"edit": func(f *trial) {
			f.twice(cell("1", "model"))
			f.fill(css(".ag-cell-inline-editing input"), "Fiesta")
			f.key("Enter", "")
			f.until("log", `["model Fiesta"]`)
			f.gives("text", "[row-index='1'] [col-id=model]", "Fiesta")
			f.twice(cell("2", "price"))
			f.typed(css(".ag-cell-inline-editing input"), "5", false)
			f.key("Escape", "")
			f.is("log", `["model Fiesta"]`)
		},
		"edit_by_keys": func(f *trial) {
			f.press(cell("0", "price"))
			for _, key := range []string{"4", "2", "Enter"} {
				f.key(key, "")
			}
			f.until("log", `["price 42"]`)
		},
		"edit_by_list": func(f *trial) {
			f.twice(cell("0", "fuel"))
			f.choose(css(".ag-cell-inline-editing [role=combobox]"), "Electric")
			f.until("log", `["fuel Electric"]`)
		},
		"filter": func(f *trial) {
			f.fill(f.ref("textbox", "Make Filter Input"), "porsche")
			f.until("[...new Set(shown('make'))]", `["Porsche"]`)
			f.press(css("[row-index='2'] button"))
			f.until("log", `["bought Model 8"]`)
			f.fill(f.ref("textbox", "Make Filter Input"), "")
			f.until("api.getDisplayedRowCount()", "1000")
		},
		"filter_by_menu": func(f *trial) {
			f.press(css(".ag-header-cell[col-id=price] .ag-header-cell-filter-button"))
			f.choose(css(".ag-filter [role=combobox]"), "Greater than")
			f.fill(css(".ag-filter input[type=number]"), "990")
			f.until("[api.getDisplayedRowCount(), Math.min(...shown('price'))]", "[9,991]")
		},
		"select_rows": func(f *trial) {
			for _, row := range []string{"1", "3"} {
				f.press(css("[row-index='" + row + "'] .ag-selection-checkbox input"))
			}
			f.until("chosen()", `["Model 1","Model 3"]`)
			f.fill(css("[row-index='1'] .ag-selection-checkbox input"), "false")
			f.until("chosen()", `["Model 3"]`)
			f.press(css(".ag-header-select-all input"))
			f.until("chosen().length", "1000")
		},
		"far_row": func(f *trial) {
			f.refused(protocol.CodeElementNotFound, protocol.Click{Page: f.page, Target: css("[row-index='500'] button")})
			f.scrolled(protocol.Scroll{MaybeTarget: protocol.MaybeTarget{Selector: "[row-index='3'] [col-id=make]"}, Direction: "down", Pixels: 21_000})
			f.until("document.querySelector(\"[row-index='500'] button\") !== null", "true")
			f.press(css("[row-index='500'] button"))
			f.until("log", `["bought Model 500"]`)
		},
		"row_that_is_gone": func(f *trial) {
			old := f.found(protocol.Find{Role: "button", Name: "Buy"}).Elements
			f.scrolled(protocol.Scroll{MaybeTarget: protocol.MaybeTarget{Selector: "[row-index='3'] [col-id=make]"}, Direction: "down", Pixels: 21_000})
			f.until("document.querySelector(\"[row-index='500'] button\") !== null", "true")
			f.refused(protocol.CodeElementStale, protocol.Click{Page: f.page, Target: protocol.Target{UID: old[0].UID}})
			f.is("log", "[]")
		},
		"move_column": func(f *trial) {
			f.dragOnto(css(".ag-header-cell[col-id=price] .ag-header-cell-label"), css(".ag-header-cell[col-id=make] .ag-header-cell-label"))
			f.until("api.getAllDisplayedColumns().map(c => c.getColId()).filter(id => ['make', 'price'].includes(id)).join()", `"price,make"`)
		},
		"resize_column": func(f *trial) {
			f.dragBy(".ag-header-cell[col-id=make] .ag-header-cell-resize", 60, 0)
			f.until("api.getColumn('make').getActualWidth()", "200")
		},
	}.tryOut(t, agGridPage)
}
