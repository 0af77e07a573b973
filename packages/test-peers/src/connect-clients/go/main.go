// Calls Kafka Connect with the client library of Redpanda Console: reads one call a line and writes one outcome a line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	connect "github.com/cloudhut/connect-client"
)

type call struct {
	Call         string                 `json:"call"`
	Name         string                 `json:"name"`
	Plugin       string                 `json:"plugin"`
	Config       map[string]interface{} `json:"config"`
	Task         int                    `json:"task"`
	IncludeTasks bool                   `json:"includeTasks"`
	OnlyFailed   bool                   `json:"onlyFailed"`
}

func main() {
	client := connect.NewClient(connect.WithHost(os.Args[1]))
	output := json.NewEncoder(os.Stdout)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var next call
		if err := json.Unmarshal(lines.Bytes(), &next); err != nil {
			panic(err)
		}
		value, err := answer(client, next)
		output.Encode(outcome(value, err))
	}
}

func outcome(value any, err error) map[string]any {
	if err == nil {
		return map[string]any{"value": value}
	}
	var refused connect.ApiError
	if errors.As(err, &refused) {
		return map[string]any{"status": refused.ErrorCode, "message": refused.Message}
	}
	return map[string]any{"problem": err.Error()}
}

func answer(client *connect.Client, next call) (any, error) {
	ctx := context.Background()
	name := next.Name
	switch next.Call {
	case "root":
		return client.GetRoot(ctx)
	case "plugins":
		return client.GetConnectorPlugins(ctx)
	case "validate":
		return client.PutValidateConnectorConfig(ctx, next.Plugin, connect.ValidateConnectorConfigOptions{Config: next.Config})
	case "list":
		return client.ListConnectors(ctx)
	case "expanded":
		return client.ListConnectorsExpanded(ctx)
	case "create":
		return client.CreateConnector(ctx, connect.CreateConnectorRequest{Name: name, Config: next.Config})
	case "connector":
		return client.GetConnector(ctx, name)
	case "config":
		return client.GetConnectorConfig(ctx, name)
	case "update":
		return client.PutConnectorConfig(ctx, name, connect.PutConnectorConfigOptions{Config: next.Config})
	case "status":
		return client.GetConnectorStatus(ctx, name)
	case "topics":
		return client.GetConnectorTopics(ctx, name)
	case "resetTopics":
		return nil, client.ResetConnectorTopics(ctx, name)
	case "pause":
		return nil, client.PauseConnector(ctx, name)
	case "resume":
		return nil, client.ResumeConnector(ctx, name)
	case "stop":
		return nil, client.StopConnector(ctx, name)
	case "restart":
		options := connect.RestartConnectorOptions{IncludeTasks: next.IncludeTasks, OnlyFailed: next.OnlyFailed}
		return nil, client.RestartConnector(ctx, name, options)
	case "restartTask":
		return nil, client.RestartConnectorTask(ctx, name, next.Task)
	case "delete":
		return nil, client.DeleteConnector(ctx, name)
	}
	return nil, fmt.Errorf("the client has no call %q", next.Call)
}
