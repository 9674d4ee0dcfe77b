package render

import (
	"slices"
	"strconv"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// run is a row of refs with numbers one after the other.
type run struct{ from, to int }

func (r run) String() string {
	switch r.to - r.from {
	case 0:
		return ref(r.from)
	case 1:
		return ref(r.from) + " " + ref(r.to)
	}
	return ref(r.from) + "-" + ref(r.to)
}

func ref(number int) string { return "e" + strconv.Itoa(number) }

// number is that of a ref; false for what is none.
func number(uid string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(uid, "e"))
	return n, err == nil && n >= 0
}

// ranges writes refs in the order of their numbers, rows of them as e3-e12.
func ranges(uids []string) string {
	var numbers []int
	for _, uid := range uids {
		if n, ok := number(uid); ok {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	var words []string
	for i := 0; i < len(numbers); {
		r := run{from: numbers[i], to: numbers[i]}
		for i++; i < len(numbers) && numbers[i] <= r.to+1; i++ {
			r.to = numbers[i]
		}
		words = append(words, r.String())
	}
	return strings.Join(words, " ")
}

// renewals says which refs stand in place of which, rows of them together: e3-e5 → e31-e33.
func renewals(renewed []protocol.Renewal) string {
	pairs := make([][2]int, 0, len(renewed))
	for _, r := range renewed {
		was, ok := number(r.Was)
		now, too := number(r.Now)
		if ok && too {
			pairs = append(pairs, [2]int{was, now})
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return a[0] - b[0] })
	var words []string
	for i := 0; i < len(pairs); {
		was, now := run{pairs[i][0], pairs[i][0]}, run{pairs[i][1], pairs[i][1]}
		for i++; i < len(pairs) && pairs[i] == [2]int{was.to + 1, now.to + 1}; i++ {
			was.to, now.to = was.to+1, now.to+1
		}
		words = append(words, was.String()+" → "+now.String())
	}
	return strings.Join(words, ", ")
}
