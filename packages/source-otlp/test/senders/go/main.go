// Exports one request of each signal by the official Go exporters, or reads OTLP/JSON as the Collector does.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 2 && args[0] == "send" {
		return send(args[1])
	}
	if len(args) == 1 && args[0] == "decode" {
		return decode(os.Stdin, os.Stdout)
	}
	return fmt.Errorf("expected send grpc, send http or decode, got %q", args)
}
