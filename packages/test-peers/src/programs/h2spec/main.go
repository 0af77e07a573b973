// Runs h2spec against the server at 127.0.0.1 and the port that is the argument. The last line of its output is a JSON array with the
// outcome of each case.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/summerwind/h2spec/config"
	"github.com/summerwind/h2spec/generic"
	"github.com/summerwind/h2spec/hpack"
	"github.com/summerwind/h2spec/http2"
	"github.com/summerwind/h2spec/spec"
)

type outcome struct {
	// Section and number, such as http2/5.1.1/2.
	Case    string `json:"case"`
	Title   string `json:"title"`
	Result  string `json:"result"`
	Problem string `json:"problem,omitempty"`
}

func main() {
	port, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	settings := &config.Config{
		Host: "127.0.0.1", Port: port, Path: "/", Timeout: 2 * time.Second, MaxHeaderLen: 4000, Strict: true,
	}
	outcomes := []outcome{}
	for _, group := range []*spec.TestGroup{generic.Spec(), http2.Spec(), hpack.Spec()} {
		group.Test(settings)
		outcomes = append(outcomes, outcomesOf(group)...)
	}
	text, err := json.Marshal(outcomes)
	if err != nil {
		panic(err)
	}
	fmt.Printf("\n%s\n", text)
}

func outcomesOf(group *spec.TestGroup) []outcome {
	all := []outcome{}
	for at, one := range append(append([]*spec.TestCase{}, group.Tests...), group.StrictTests...) {
		found := outcome{Case: fmt.Sprintf("%s/%d", group.ID(), at+1), Title: one.Desc, Result: "passed"}
		if one.Result == nil {
			found.Result = "not run"
		} else if one.Result.Failed {
			found.Result = "failed"
			found.Problem = one.Result.Error.Error()
		} else if one.Result.Skipped {
			found.Result = "skipped"
		}
		all = append(all, found)
	}
	for _, inner := range group.Groups {
		all = append(all, outcomesOf(inner)...)
	}
	return all
}
