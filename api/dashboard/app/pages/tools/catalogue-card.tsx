// The tools of an MCP server as it was last read, and which of them are offered.
import { useState } from 'preact/hooks';
import type { Tool } from '../../api-types.ts';
import { call } from '../../client.ts';
import type { Form } from '../../form.ts';
import { formatAgo } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields/field.tsx';
import { Card, Notice } from '../../ui/layout.tsx';

import { attempt } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';
import type { ToolValues } from './tool-form.ts';

export function CatalogueCard({
  tool,
  form,
  onRefreshed,
}: {
  tool: Tool;
  form: Form<ToolValues>;
  onRefreshed: (tool: Tool) => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const { catalogue, catalogueAt, catalogueError } = tool;
  const refresh = async () => {
    setBusy(true);
    await attempt(async () => onRefreshed((await call('refreshTool', { params: { id: tool.id } })).data));
    setBusy(false);
  };
  return (
    <Card
      title={t('Its tools')}
      actions={
        <Button isSmall isBusy={isBusy} onClick={() => void refresh()}>
          {isBusy ? t('Reading …') : t('Read them again')}
        </Button>
      }
    >
      {catalogueError !== null && (
        <Notice tone="warn">
          <strong>{t('They could not be read the last time.')}</strong>
          <span>{catalogueError}</span>
        </Notice>
      )}
      <p class="small soft">
        {catalogueAt === null
          ? t('Not read yet.')
          : t('Read {ago}, and again each hour.', { ago: formatAgo(catalogueAt) })}
      </p>
      {catalogue !== null && <Offered catalogue={catalogue} form={form} />}
    </Card>
  );
}

function Offered({ catalogue, form }: { catalogue: NonNullable<Tool['catalogue']>; form: Form<ToolValues> }) {
  const { only } = form.values;
  const known = catalogue.map(({ name }) => name);
  // One that is chosen stays so while the server does not name it.
  const gone = (only ?? []).filter((name) => !known.includes(name));
  const rows = [
    ...catalogue.map(({ name, description }) => ({ name, about: description })),
    ...gone.map((name) => ({ name, about: t('The server does not offer it any more.') })),
  ];
  const choose = (wanted: readonly string[]) =>
    form.set(
      'only',
      rows.map(({ name }) => name).filter((name) => wanted.includes(name)),
    );
  return (
    <fieldset class="stack tight" aria-label={t('Tools that are offered')}>
      <Checkbox
        label={t('All of them, also those to come')}
        value={only === null}
        onChange={(areAll) => form.set('only', areAll ? null : known)}
      />
      {rows.map(({ name, about }) => (
        <Checkbox
          key={name}
          label={<code>{name}</code>}
          hint={about}
          value={only === null || only.includes(name)}
          disabled={only === null}
          onChange={(isOn) => choose(isOn ? [...(only ?? []), name] : (only ?? []).filter((each) => each !== name))}
        />
      ))}
      {form.faultOf('only', true) !== undefined && (
        <span class="fault" role="alert">
          {form.faultOf('only', true)}
        </span>
      )}
    </fieldset>
  );
}
