// Package price reads prices as people write them.
package price

import (
	"strconv"
	"strings"
)

// Cents reads a price such as "12.50" and returns it in cents.
func Cents(text string) (int, error) {
	whole, part, _ := strings.Cut(text, ".")
	euros, _ := strconv.Atoi(whole)
	cents, _ := strconv.Atoi(part)
	return euros*100 + cents, nil
}
