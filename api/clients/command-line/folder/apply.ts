// Carries out the steps of a plan: makes, changes and deletes records, with references as ids and placeholders filled.
import type { Client } from '../../typescript/client.ts';
import { isMovable } from './content.ts';
import { readDocument } from './files.ts';
import type { Placeholders } from './placeholders.ts';
import type { Plan, Step } from './plan.ts';
import { type Content, fieldsOf, isEmpty, type Kind, NUMBERS, pathOf, REFERENCES, SECRETS } from './record.ts';
import type { Installation } from './server.ts';

type Fields = Record<string, unknown>;

interface Applying {
  client: Client;
  folder: string;
  plan: Plan;
  installation: Installation;
  placeholders: Placeholders;
  /** Secrets are sent again, though the service has some. */
  withSecrets: boolean;
  note(text: string): void;
}

export class Applier {
  readonly #applying: Applying;
  /** By kind and key. */
  readonly #ids = new Map<string, string>();
  readonly #numbers: ReadonlyMap<string, string>;

  constructor(applying: Applying) {
    this.#applying = applying;
    const { plan, installation } = applying;
    for (const { kind, id } of installation.records) this.#ids.set(pathOf(kind, plan.keys.keyOfId.get(id) ?? id), id);
    this.#numbers = new Map([...installation.numbers].map(([id, number]) => [number, id]));
  }

  /** Reads all that a step needs of this machine. @throws {Failure} of a document that is not there */
  check(step: Step): void {
    this.#body(step);
    this.#applying.placeholders.filled(step.content.cases, step.path);
    for (const { file } of (step.content.documents ?? []) as Content[])
      if (file !== undefined) readDocument(this.#applying.folder, String(file));
  }

  /** The body of a step; secrets that are not set are noted in the placeholders. */
  #body({ act, kind, path, content, known, record }: Step): Fields {
    const body: Fields = {};
    for (const [field, name, emptied] of fieldsOf(kind)) {
      const [value, before] = [content[name], known[name]];
      if (JSON.stringify(value) === JSON.stringify(before) && !(SECRETS.includes(field) && this.#applying.withSecrets))
        continue;
      if (value === undefined) {
        if (act === 'change' && emptied !== undefined) body[field] = emptied;
        continue;
      }
      body[field] = this.#value(field, value, { path, record, known });
    }
    return body;
  }

  #value(field: string, value: unknown, { path, record, known }: Pick<Step, 'path' | 'record' | 'known'>): unknown {
    const { placeholders, withSecrets } = this.#applying;
    const reference = REFERENCES[field];
    if (reference !== undefined) {
      const idOf = (key: unknown) => this.#ids.get(pathOf(reference.kind, String(key))) ?? String(key);
      return Array.isArray(value) ? value.map(idOf) : idOf(value);
    }
    if (field === NUMBERS.field) return (value as string[]).map((number) => this.#numbers.get(number) ?? number);
    if (field === 'lookup' && record?.fields.lookup && !withSecrets) {
      const { headers, ...rest } = value as Fields;
      const isSame = JSON.stringify(headers) === JSON.stringify((known.lookup as Fields | undefined)?.headers);
      return placeholders.filled(isSame ? rest : value, path);
    }
    if (field === 'notify') return this.#rules(value as Fields[], (record?.fields.notify ?? []) as Fields[], path);
    return placeholders.filled(value, path);
  }

  /** A secret that is not set stays the one that the service has in the same place. */
  #rules(rules: Fields[], before: Fields[], path: string): Fields[] {
    const { placeholders } = this.#applying;
    return rules.map(({ to, secret, ...rest }, i) => {
      const former = before[i]?.by === rest.by ? before[i] : undefined;
      const isKept = former !== undefined && !placeholders.isSet(String(to));
      const isUnsigned = former?.isSigned === true && (secret === undefined || !placeholders.isSet(String(secret)));
      return {
        ...(placeholders.filled(rest, path) as Fields),
        to: isKept ? former.to : placeholders.filled(to, path),
        ...(secret === undefined || isUnsigned ? {} : { secret: placeholders.filled(secret, path) }),
      };
    });
  }

  async carryOut(step: Step): Promise<void> {
    const { kind, path, record } = step;
    if (step.act === 'delete') return void (await this.#delete(kind, record?.id ?? ''));
    const body = this.#body(step);
    const id = record === null ? await this.#create(kind, body) : await this.#change(kind, record.id, body);
    this.#ids.set(path.replace(/\.yml$/, '.yaml'), id);
    if (kind === 'tests') await this.#cases(id, step);
    if (kind === 'businesses') await this.#documents(id, step);
  }

  async #create(kind: Kind, body: Fields): Promise<string> {
    const { client } = this.#applying;
    const made = {
      tools: () => client.tools.create(body as never),
      agents: () => client.agents.create(body as never),
      businesses: () => client.businesses.create(body as never),
      campaigns: () => client.campaigns.create(body as never),
      tests: () => client.tests.createSuite(body as never),
    };
    return (await made[kind]()).id;
  }

  async #change(kind: Kind, id: string, body: Fields): Promise<string> {
    const { client } = this.#applying;
    const changes = {
      tools: () => client.tools.update(id, body),
      agents: () => client.agents.update(id, body),
      businesses: () => client.businesses.update(id, body),
      campaigns: () => client.campaigns.update(id, body),
      tests: () => client.tests.updateSuite(id, body),
    };
    if (!isEmpty(body)) await changes[kind]();
    return id;
  }

  async #delete(kind: Kind, id: string): Promise<void> {
    const { client } = this.#applying;
    const deletions = {
      tools: () => client.tools.delete(id),
      agents: () => client.agents.delete(id),
      businesses: () => client.businesses.delete(id),
      campaigns: () => client.campaigns.delete(id),
      tests: () => client.tests.deleteSuite(id),
    };
    await deletions[kind]();
  }

  async #cases(suiteId: string, { content, known, record, path }: Step): Promise<void> {
    const { client, placeholders } = this.#applying;
    if (JSON.stringify(content.cases) === JSON.stringify(known.cases)) return;
    const left = (record?.cases ?? []).filter(({ definition }) => isMovable(definition));
    for (const [position, wish] of ((content.cases ?? []) as Fields[]).entries()) {
      const { name, kind = 'eval', ...definition } = placeholders.filled(wish, path) as Fields;
      const at = left.findIndex((each) => each.name === name && each.kind === kind);
      const [former] = at < 0 ? [] : left.splice(at, 1);
      const body = { name, kind, definition, position } as never;
      if (former === undefined) await client.tests.addCase(suiteId, body);
      else await client.tests.updateCase(former.id, body);
    }
    for (const { id } of left) await client.tests.deleteCase(id);
  }

  async #documents(businessId: string, { content, known, record, path }: Step): Promise<void> {
    const { client, folder, note } = this.#applying;
    if (JSON.stringify(content.documents) === JSON.stringify(known.documents)) return;
    const before = (known.documents ?? []) as Content[];
    const wishes = (content.documents ?? []) as Fields[];
    const isKept = (wish: Fields) => before.some((each) => JSON.stringify(each) === JSON.stringify(wish));
    for (const wish of wishes.filter((each) => !isKept(each))) {
      const { name, file } = wish as { name: string; file?: string };
      if (wish.url !== undefined) await client.knowledge.add(businessId, wish as never);
      else if (file !== undefined) {
        const bytes = readDocument(folder, file);
        await client.knowledge.upload(businessId, {
          name,
          file: new File([new Uint8Array(bytes)], file.split('/').at(-1) ?? name),
        });
      } else note(`${path}: the document ${name} has neither url nor file, and is left out`);
    }
    // One that cannot be read leaves the one before it.
    for (const { id, name } of record?.documents ?? []) {
      const wish = wishes.find((each) => each.name === name);
      if (wish === undefined || !isKept(wish)) await client.knowledge.delete(businessId, id);
    }
  }
}
