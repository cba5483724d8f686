// The Python package against a running service: pages, a call, its events, faults, a file, a webhook.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { messageBody } from '../../api/delivery/message.ts';
import { sampleData } from '../../api/delivery/samples.ts';
import { createSecret, digestSecret, signedHeaders } from '../../api/delivery/signature.ts';
import { addCampaign, addTrunk } from '../../bench/rig/service/outbound-setup.ts';
import { Rest } from '../../bench/rig/service/rest.ts';
import { useService } from '../support/use-service.ts';

const PACKAGE = fileURLToPath(new URL('../../api/clients/python/', import.meta.url));
/** The discard port: nobody answers there. */
const NOBODY = 9;
const { service } = useService();

const PROGRAM = `
import json, os, sys
from voice_calling_client import ApiError, Client, File, WebhookError, verify_webhook

client = Client(os.environ["URL"] + "/api/v1/", os.environ["TOKEN"])
made = [client.agents.create({"name": f"Agent {n}", "voiceId": "flite-slt"})["name"] for n in range(3)]
listed = [agent["name"] for agent in client.agents.list(limit=2, isActive=True)]
print(listed[:3] == made[::-1], client.agents.list(limit=2).page().pagination["hasNext"])

call = client.calls.place({"campaignId": os.environ["CAMPAIGN"], "fromPhoneNumberId": os.environ["NUMBER"], "toNumber": "+12025550143"})
print(call["toNumber"])
client.calls.end(call["id"])
print([event["type"] for event in client.calls.stream(call["id"])][-1])

for ask in [lambda: client.calls.get("call_0"), lambda: client.agents.create({"name": "", "voiceId": "x"})]:
    try:
        ask()
    except ApiError as fault:
        print(fault.status, fault.code, [each["field"] for each in fault.fields])
try:
    client.calls.get("..")
except ValueError as fault:
    print(fault)
try:
    Client("http://127.0.0.1:9", retries=0).agents.list().page()
except ApiError as fault:
    print(fault.status, fault.code)

business = client.businesses.create({"name": "Rivera", "industry": "dentist", "timezone": "UTC"})
document = client.knowledge.upload(business["id"], File("prices.md", b"# Prices\\n\\nA cleaning is 60.", "text/markdown"), name="Prices")
print(document["name"], document["kind"])
with client.calls.export(direction="outbound") as exported:
    print(exported.type.split(";")[0], call["id"] in exported.read().decode())

delivery = json.loads(os.environ["DELIVERY"])
body, headers, secret = delivery["body"], delivery["headers"], delivery["secret"]
print(verify_webhook(body, headers, ["whsec_old", secret])["data"]["callerName"])
for changed in [(body + " ", headers, secret), (body, headers, "whsec_other"), (body, {}, secret), (body, headers, "")]:
    try:
        verify_webhook(*changed)
        print("taken")
    except WebhookError:
        pass
try:
    verify_webhook(body, headers, secret, now=int(headers["webhook-timestamp"]) + 301)
except WebhookError as fault:
    print(fault)
`;

function delivery() {
  const secret = createSecret();
  const nowMs = Date.now();
  const data = JSON.stringify({ ...sampleData('call.ended', nowMs), callerName: 'Zoë' });
  const body = messageBody({ id: 'evt_1', type: 'call.ended', createdAtMs: nowMs, data });
  return { secret, body, headers: signedHeaders(digestSecret(secret), 'evt_1', body, nowMs) };
}

const isNew = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
test('the Python package lists, places a call, follows it, and verifies a webhook', {
  skip: !isNew && 'no python 3.11 here',
}, async () => {
  const rest = await new Rest(service).login();
  const campaign = await addCampaign(rest, await addTrunk(rest, NOBODY), '+12125550123');
  const child = spawn('python3', ['-X', 'utf8', '-B', '-c', PROGRAM], {
    env: {
      ...process.env,
      ...{ PYTHONPATH: PACKAGE, URL: service.apiUrl, TOKEN: await service.login() },
      ...{ CAMPAIGN: campaign.id, NUMBER: campaign.numberId, DELIVERY: JSON.stringify(delivery()) },
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  assert.equal(code, 0, output);
  assert.deepEqual(output.trim().split('\n'), [
    ...['True True', '+12025550143', 'ended'],
    ...['404 NOT_FOUND []', "422 VALIDATION_FAILED ['name']", "'..' is no id", '0 UNREACHABLE'],
    ...[
      'Prices markdown',
      'text/csv True',
      'Zoë',
      'the signature is too old, or of a time to come: is the clock right?',
    ],
  ]);
});
