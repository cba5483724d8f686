// Adds trunks and their numbers by the schemas and services of the ADMIN routes.

import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';
import { invalid } from '../frame/errors.ts';
import { jsonPath } from '../frame/validation.ts';
import { InventoryBody } from '../inventory/schema.ts';
import { addNumbers } from '../inventory/service.ts';
import { TrunkBody } from '../trunks/schema.ts';
import { addTrunk } from '../trunks/service.ts';
import { type Command, type Options, print, readArguments, requireText, standardInput, UsageError } from './command.ts';

const trunkOptions: Options = {
  name: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  transport: { type: 'string' },
  username: { type: 'string' },
  'auth-username': { type: 'string' },
  'password-stdin': { type: 'boolean' },
  register: { type: 'boolean' },
  'inbound-allow': { type: 'string' },
  codecs: { type: 'string' },
  'max-concurrent-calls': { type: 'string' },
  'calls-per-second': { type: 'string' },
  'from-domain': { type: 'string' },
  'outbound-proxy': { type: 'string' },
  country: { type: 'string' },
  'inbound-format': { type: 'string' },
  'dial-format': { type: 'string' },
  'dial-prefix': { type: 'string' },
  'caller-id-header': { type: 'string' },
  srtp: { type: 'boolean' },
  'no-options-ping': { type: 'boolean' },
};

const WHOLE_NUMBERS = new Set(['port', 'max-concurrent-calls', 'calls-per-second']);
const LISTS = new Set(['inbound-allow', 'codecs', 'capabilities']);

export const trunkAdd: Command = {
  name: 'trunk add',
  usage: `trunk add --name NAME --host HOST [options]
  --port N                   default 5060, with tls 5061
  --transport udp|tcp|tls    default udp
  --username NAME            user; --auth-username if the digest user differs
  --password-stdin           read the digest password from standard input
  --register                 register with the trunk; default off
  --inbound-allow CIDR,…     further addresses from which calls are accepted
  --codecs PCMU,PCMA         also G722, OPUS; in order of preference
  --max-concurrent-calls N   default 100
  --calls-per-second N       default 10
  --from-domain DOMAIN       --outbound-proxy HOST[:PORT]   --country XX
  --inbound-format auto|e164|national
  --dial-format e164|00|national   --dial-prefix DIGITS   --caller-id-header from|pai|both
  --srtp                     encrypt media
  --no-options-ping          for a peer that never answers OPTIONS`,
  async run(args, context) {
    const { values } = readArguments(args, trunkOptions);
    requireText(values.name, 'name');
    requireText(values.host, 'host');
    const body = bodyOf(values);
    if (values['password-stdin']) body.password = await standardInput();
    const trunk = await addTrunk(context, checked(TrunkBody, body));
    print(`added ${trunk.id} ${trunk.name} ${trunk.transport}:${trunk.host}:${trunk.port}`);
  },
};

export const numbersAdd: Command = {
  name: 'numbers add',
  usage: `numbers add (NUMBER… | --from NUMBER --to NUMBER) [--trunk TRK_ID] [options]
  numbers in E.164, such as +12025550123; a range has at most 1,000
  --type local|mobile|toll_free   --capabilities voice,sms   --monthly-cost DOLLARS`,
  async run(args, context) {
    const { values, positionals } = readArguments(args, {
      from: { type: 'string' },
      to: { type: 'string' },
      trunk: { type: 'string' },
      type: { type: 'string' },
      capabilities: { type: 'string' },
      'monthly-cost': { type: 'string' },
    });
    if (positionals.length > 0 === (values.from !== undefined)) {
      throw new UsageError('either NUMBERs or --from and --to are needed');
    }
    const { trunk, from, to, ...given } = bodyOf(values);
    if (given.monthlyCost !== undefined) given.monthlyCost = Number(given.monthlyCost);
    const numbers = positionals.map((phoneNumber) => ({ phoneNumber, ...given }));
    const body = numbers.length > 0 ? { numbers } : { from, to, ...given };
    const { added } = await addNumbers(context, checked(InventoryBody, { ...body, trunkId: trunk ?? null }));
    print(`added ${added} number${added === 1 ? '' : 's'}`);
  },
};

/** `dial-format` → `dialFormat`, with numbers and lists in the schema's types. */
function bodyOf(values: Record<string, unknown>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [option, value] of Object.entries(values)) {
    if (option.endsWith('-stdin')) continue;
    const name = option.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (option === 'no-options-ping') body.optionsPing = false;
    else if (WHOLE_NUMBERS.has(option)) body[name] = Number(value);
    else if (LISTS.has(option)) body[name] = String(value).split(',');
    else body[name] = value;
  }
  return body;
}

/** Validates the body by the route's schema. @throws {ApiError} 422 */
function checked<B>(schema: TSchema & { static?: B }, body: unknown): B {
  const errors = [...Errors(schema, body)];
  if (errors.length > 0) {
    throw invalid(errors.map(({ instancePath, message }) => ({ field: jsonPath(instancePath) || 'body', message })));
  }
  return body as B;
}
