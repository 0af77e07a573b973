package main

import (
	"fmt"
	"net/url"
	"strconv"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// request says how a call is answered: the filter of a StreamRequest, written as the query of an address. The README of the
// peers explains the names.
type request struct {
	count, after     int64
	size             int
	interval         time.Duration
	gzip, echo, hold bool
	fail             codes.Code
	message          string
	name, stat       string
}

func parse(filter string, interval time.Duration) (request, error) {
	if _, err := strconv.ParseUint(filter, 10, 63); err == nil {
		filter = "after=" + filter
	}
	values, err := url.ParseQuery(filter)
	if err != nil {
		return request{}, status.Error(codes.InvalidArgument, fmt.Sprintf("filter %q: %v", filter, err))
	}
	number := func(name string, absent int64) int64 {
		if !values.Has(name) {
			return absent
		}
		value, parseErr := strconv.ParseInt(values.Get(name), 10, 64)
		if parseErr != nil {
			err = status.Error(codes.InvalidArgument, fmt.Sprintf("filter %q: %v", filter, parseErr))
		}
		return value
	}
	made := request{
		count:    number("count", -1),
		after:    number("after", 0),
		size:     int(number("size", 5)),
		interval: interval,
		gzip:     values.Has("gzip"),
		echo:     values.Has("echo"),
		hold:     values.Has("hold"),
		fail:     codes.Code(number("fail", 0)),
		message:  values.Get("message"),
		name:     values.Get("name"),
		stat:     values.Get("stat"),
	}
	return made, err
}
