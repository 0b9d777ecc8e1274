package price

import "testing"

func TestReadsAPrice(t *testing.T) {
	got, err := Cents("12.50")
	if err != nil || got != 1250 {
		t.Fatalf("got %d, %v", got, err)
	}
}
