// Tools of an agent that writes: an answer has one of the few places in which answers are written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerInWriting, useTexts } from '../../support/carriers/text-lab.ts';
import { NO_OWN_TOOLS } from '../../support/no-tools.ts';

const lab = useTexts();

test('a tool that may take two minutes on calls is waited for 30 s in writing, a quick one as on calls', async () => {
  const toolIds: string[] = [];
  for (const [name, timeoutMs] of [
    ['slow', 120_000],
    ['quick', 5_000],
  ] as const) {
    const tool = { name, timeoutMs, description: 'Finds an order.', url: 'https://shop.example/orders' };
    const made = await lab.api.admin.ask('POST', '/tools', tool);
    assert.equal(made.status, 201, made.text);
    toolIds.push(made.json.data.id);
  }
  await lab.api.admin.ask('PATCH', `/agents/${lab.agentId}`, { toolIds });
  await lab.receive('Hello');
  const waits: number[] = [];
  const tools: typeof NO_OWN_TOOLS = {
    ...NO_OWN_TOOLS,
    open: (rows) => {
      waits.push(...rows.map(({ timeoutMs }) => timeoutMs));
      return NO_OWN_TOOLS.open([]);
    },
  };
  assert.equal(await answerInWriting(lab.api, undefined, tools), 1);
  assert.deepEqual(
    waits.toSorted((a, b) => a - b),
    [5_000, 30_000],
  );
});
