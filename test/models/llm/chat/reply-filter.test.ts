// The part of a model's text that a caller hears: never its thoughts, its calls of tools, or the tokens of its
// template, wherever the stream is cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReplyFilter, withoutThoughts } from '../../../../models/llm/chat/reply-filter.ts';

const tool = (name: string, ...required: string[]) => ({
  name,
  description: '',
  parameters: { type: 'object', properties: {}, required },
});
const tools = [tool('schedule_appointment', 'startsAt'), tool('check_availability')];
const AT = '2026-12-01T11:00';
const CALL = { name: 'schedule_appointment', arguments: { startsAt: AT } };
const JSON_CALL = `{"name": "schedule_appointment", "arguments": {"startsAt": "${AT}"}}`;

/** The text in parts of that many characters. */
function filtered(text: string, size: number, thinksFirst = false) {
  const filter = new ReplyFilter({ tools, thinksFirst });
  let said = '';
  for (let at = 0; at < text.length; at += size) said += filter.take(text.slice(at, at + size));
  said += filter.end();
  return { said, calls: filter.calls, hasThoughts: filter.hasThoughts };
}

const CASES: Array<[what: string, text: string, said: string, calls?: unknown[]]> = [
  ['thoughts', '<think>\nThe caller wants eleven.\n</think>\n\nSure, at eleven.', 'Sure, at eleven.'],
  ['empty thoughts', '<think>\n\n</think>\n\nSure.', 'Sure.'],
  ['thoughts in capitals', '<THINK>hm</THINK>Sure.', 'Sure.'],
  ['thoughts in the middle', 'Sure. <think>Is it free?</think>At eleven.', 'Sure. At eleven.'],
  ['thoughts without an end', 'Sure. <thinking>Is it free', 'Sure. '],
  [
    'thoughts that nobody opened',
    'Okay, the caller wants eleven.\nIt is free.\n</think>\n\nSure, at eleven.',
    'Sure, at eleven.',
  ],
  [
    'other thoughts',
    '[THINK]hm[/THINK]<reasoning>so</reasoning><seed:think>x</seed:think>◁think▷y◁/think▷Sure.',
    'Sure.',
  ],
  [
    'harmony',
    '<|channel|>analysis<|message|>The user wants eleven.<|end|><|start|>assistant<|channel|>final<|message|>Sure.<|return|>',
    'Sure.',
  ],
  [
    'a call in harmony',
    `<|channel|>commentary to=functions.schedule_appointment <|constrain|>json<|message|>{"startsAt":"${AT}"}<|call|>`,
    '',
    [CALL],
  ],
  [
    'harmony without its tokens',
    'analysisThe user wants eleven. It is free.assistantfinalSure, at eleven.',
    'Sure, at eleven.',
  ],
  ['a call', `<tool_call>\n${JSON_CALL}\n</tool_call>`, '', [CALL]],
  ['words before a call', `One moment. <tool_call>${JSON_CALL}</tool_call>`, 'One moment. ', [CALL]],
  ['a call without an end', `<tool_call>\n${JSON_CALL}`, '', [CALL]],
  ['a function', `<function=schedule_appointment>{"startsAt": "${AT}"}</function>`, '', [CALL]],
  [
    'a function with parameters',
    `<tool_call>\n<function=schedule_appointment>\n<parameter=startsAt>\n${AT}\n</parameter>\n</function>\n</tool_call>`,
    '',
    [CALL],
  ],
  [
    'an invocation',
    `<function_calls><invoke name="schedule_appointment"><parameter name="startsAt">${AT}</parameter></invoke></function_calls>`,
    '',
    [CALL],
  ],
  [
    'two calls',
    `<tool_call>${JSON_CALL}</tool_call>\n<tool_call>{"name":"check_availability"}</tool_call>`,
    '',
    [CALL, { name: 'check_availability', arguments: {} }],
  ],
  ['Mistral’s calls', `[TOOL_CALLS][${JSON_CALL}]`, '', [CALL]],
  [
    'Llama’s call',
    `<|python_tag|>{"name": "schedule_appointment", "parameters": {"startsAt": "${AT}"}}<|eom_id|>`,
    '',
    [CALL],
  ],
  [
    'DeepSeek’s call',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>schedule_appointment\n\`\`\`json\n{"startsAt": "${AT}"}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    '',
    [CALL],
  ],
  ['bare JSON', JSON_CALL, '', [CALL]],
  ['fenced JSON', `\`\`\`json\n${JSON_CALL}\n\`\`\``, '', [CALL]],
  ['a tool that there is not', '<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>Sure.', 'Sure.'],
  ['arguments that are missing', '<tool_call>{"name": "schedule_appointment", "arguments": {}}</tool_call>', ''],
  ['JSON for nobody', '{"name": "delete_all", "arguments": {}}', ''],
  ['tokens of a template', '<|im_start|>assistant\nSure.<|im_end|>', 'Sure.'],
  ['other tokens', '<s>[INST]Sure.[/INST]</s><end_of_turn><|eot_id|><｜end▁of▁sentence｜>', 'Sure.'],
  [
    'ordinary text',
    'So, we are open until 5. Is 3 < 4? [Press one] or {two}, <b>ok</b>.',
    'So, we are open until 5. Is 3 < 4? [Press one] or {two}, <b>ok</b>.',
  ],
  ['a beginning like a thought', 'Okay, the earliest is eleven.', 'Okay, the earliest is eleven.'],
  ['a sentence about a caller', 'The caller before you took it.', 'The caller before you took it.'],
  ['nothing', '', ''],
];

for (const [what, text, said, calls = []] of CASES) {
  test(what, () => {
    for (const size of [1, 3, 7, 4_096]) {
      const seen = filtered(text, size);
      assert.deepEqual([seen.said, seen.calls], [said, calls], `in parts of ${size}`);
    }
  });
}

test('ordinary words are passed on as they come', () => {
  const filter = new ReplyFilter({ tools });
  assert.equal(filter.take('We are '), 'We are ');
  assert.equal(filter.take('open.'), 'open.');
});

test('a model that has closed thoughts without opening them is not heard before it does so again', () => {
  const thoughts = 'Eleven is free, I think.';
  assert.equal(filtered(`${thoughts}</think>Sure.`, 4).hasThoughts, true);
  assert.equal(filtered(`${thoughts}</think>Sure.`, 4, true).said, 'Sure.');
  assert.equal(filtered('Sure, at eleven.', 4, true).said, 'Sure, at eleven.');
});

test('a text for readers keeps its JSON and loses its thoughts', () => {
  assert.equal(withoutThoughts('<think>hm</think>{"a":1}'), '{"a":1}');
});
