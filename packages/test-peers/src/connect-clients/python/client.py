"""Calls Kafka Connect with kafka-connect-py: reads one call a line and writes one outcome a line."""

import json
import logging
import sys

from kafka_connect import KafkaConnect
from requests.exceptions import HTTPError


def expanded(client):
    """The library asks for one expansion at a time."""
    info = client.list_connectors(expand="info")
    status = client.list_connectors(expand="status")
    return {name: {**info[name], **status.get(name, {})} for name in info}


CALLS = {
    "root": lambda client, call: client.get_cluster_info(),
    "plugins": lambda client, call: client.list_connector_plugins(),
    "validate": lambda client, call: client.validate_connector_config(call["plugin"], call["config"]),
    "list": lambda client, call: client.list_connectors(),
    "expanded": lambda client, call: expanded(client),
    "create": lambda client, call: client.create_connector({"name": call["name"], "config": call["config"]}),
    "connector": lambda client, call: client.get_connector(call["name"]),
    "config": lambda client, call: client.get_connector_config(call["name"]),
    "update": lambda client, call: client.update_connector(call["name"], call["config"]),
    "status": lambda client, call: client.get_connector_status(call["name"]),
    "tasks": lambda client, call: client.list_connector_tasks(call["name"]),
    "taskStatus": lambda client, call: client.get_connector_task_status(call["name"], call["task"]),
    "topics": lambda client, call: client.list_connector_topics(call["name"]),
    "resetTopics": lambda client, call: client.reset_connector_topics(call["name"]),
    "pause": lambda client, call: client.pause_connector(call["name"]),
    "resume": lambda client, call: client.resume_connector(call["name"]),
    "stop": lambda client, call: client.stop_connector(call["name"]),
    "restart": lambda client, call: client.restart_connector(
        call["name"], include_tasks=call.get("includeTasks", False), only_failed=call.get("onlyFailed", False)
    ),
    "restartTask": lambda client, call: client.restart_connector_task(call["name"], call["task"]),
    "delete": lambda client, call: client.delete_connector(call["name"]),
}


def refusal(error):
    """The answer's body; some calls of the library keep nothing else of it."""
    text = str(error) if error.response is None else error.response.text
    body = json.loads(text)
    return {"status": body["error_code"], "message": body["message"]}


def outcome(client, call):
    try:
        return {"value": CALLS[call["call"]](client, call)}
    except HTTPError as error:
        try:
            return refusal(error)
        except (ValueError, KeyError):
            return {"problem": repr(error)}
    except Exception as error:
        return {"problem": repr(error)}


def main():
    logging.disable()
    client = KafkaConnect(url=sys.argv[1])
    for line in sys.stdin:
        print(json.dumps(outcome(client, json.loads(line))), flush=True)


main()
