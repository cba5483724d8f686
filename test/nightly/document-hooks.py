# Hooks of schemathesis for document.ts: an idempotency key of its own for each request, and in requests that the
# document allows the records that the account has (WORLD), which no schema can name.
import json
import os
import uuid

import schemathesis

WORLD = json.loads(os.environ["WORLD"])
# Of a query: bounds in the right order, and no further apart than they may be.
BOUNDS = {
    "startDate": "2026-04-01",
    "endDate": "2026-04-30",
    "from": "2026-04-01",
    "to": "2026-04-30",
    "minScore": "0.2",
    "maxScore": "0.8",
}


def named(name, value):
    """The value of a field, with what the account has in place of what was made up."""
    if isinstance(value, dict):
        return {key: named(key, each) for key, each in value.items()}
    known = WORLD["fields"].get(name)
    if known is not None and isinstance(value, str):
        return known
    if known is not None and isinstance(value, list) and value and isinstance(value[0], str):
        return [known]
    if isinstance(value, list):
        return [named(None, each) for each in value]
    return value


def in_path(template, name):
    """The id that the account has at this place of a path."""
    return WORLD["paths"].get(template[: template.index("{" + name + "}")])


@schemathesis.hook
def before_call(context, case, kwargs):
    key = (case.headers or {}).get("Idempotency-Key")
    try:
        uuid.UUID(str(key))
        # One that was used for another request is refused, as it should be.
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    except ValueError:
        pass
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if isinstance(case.body, dict):
        case.body = named(None, case.body)
    for name, value in list((case.query or {}).items()):
        case.query[name] = BOUNDS.get(name, named(name, value))
    if case.method.upper() == "DELETE":
        return
    for name in list(case.path_parameters or {}):
        found = in_path(case.path, name)
        if found is not None:
            case.path_parameters[name] = found
