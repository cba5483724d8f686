// The cases of a suite: each opens where it stands, and new ones are added below.
import { useState } from 'preact/hooks';
import type { TestCase } from '../../api-types.ts';
import { call } from '../../client.ts';
import { refuseFaults } from '../../field-faults.ts';
import { useForm } from '../../form.ts';
import { jsonText, readObject } from '../../json-object.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Checkbox, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Badge, Card, Empty } from '../../ui/layout.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Answer } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { definitionOf, type TurnValues, turnsOf } from './case-form.ts';
import { ImportDialog } from './import-dialog.tsx';

const PAGE = 100;
const FRESH: TurnValues = { say: '', said: '', notSaid: '' };

export function CasesTab({ suiteId }: { suiteId: string }) {
  const [opened, setOpened] = useState<string | null>(null);
  const [isImporting, setImporting] = useState(false);
  const first = useApi('listTestCases', { params: { id: suiteId }, query: { page: 1, limit: PAGE } });
  const second = useApi('listTestCases', { params: { id: suiteId }, query: { page: 2, limit: PAGE } });
  const done = () => {
    setOpened(null);
    first.reload();
    second.reload();
  };
  return (
    <Answer of={first}>
      {({ data }) => {
        const cases = [...data, ...(second.answer?.data ?? [])];
        return (
          <div class="stack">
            {cases.length === 0 && opened === null && (
              <Empty title={t('No cases yet')}>
                {t('A case is a short conversation, and what the agent must say in it.')}
              </Empty>
            )}
            {cases.map((each) =>
              opened === each.id ? (
                <CaseEditor key={each.id} suiteId={suiteId} found={each} onDone={done} />
              ) : (
                <CaseLine key={each.id} of={each} onOpen={() => setOpened(each.id)} />
              ),
            )}
            {opened === 'new' ? (
              <CaseEditor suiteId={suiteId} found={null} onDone={done} />
            ) : (
              <div class="row">
                <Button onClick={() => setOpened('new')}>{t('Add a case')}</Button>
                <Button onClick={() => setImporting(true)}>{t('Import a transcript')}</Button>
              </div>
            )}
            {isImporting && <ImportDialog suiteId={suiteId} onImported={done} onClose={() => setImporting(false)} />}
          </div>
        );
      }}
    </Answer>
  );
}

function CaseLine({ of: { name, kind, definition }, onOpen }: { of: TestCase; onOpen: () => void }) {
  const { turns = [], caller } = definition;
  const about = caller === undefined ? turns.map((turn) => turn.say).join(' / ') : (caller.goal ?? t('A script'));
  return (
    <Card
      title={name}
      actions={
        <>
          {kind === 'simulation' && <Badge>{t('By voice')}</Badge>}
          <Button isSmall label={t('Edit {name}', { name })} onClick={onOpen}>
            {t('Edit')}
          </Button>
        </>
      }
    >
      <p class="soft">{about}</p>
    </Card>
  );
}

interface CaseValues {
  name: string;
  turns: TurnValues[];
  /** Of what the fields cannot show. */
  json: string;
  isJson: boolean;
}

function valuesOf(found: TestCase | null): CaseValues {
  if (found === null) return { name: '', turns: [FRESH], json: jsonText(definitionOf([FRESH])), isJson: false };
  const turns = turnsOf(found.definition);
  return { name: found.name, turns: turns ?? [], json: jsonText(found.definition), isJson: turns === null };
}

function CaseEditor({ suiteId, found, onDone }: { suiteId: string; found: TestCase | null; onDone: () => void }) {
  const form = useForm(valuesOf(found), async ({ values: { name, turns, json, isJson } }) => {
    const read = isJson ? readObject(json) : { value: definitionOf(turns), fault: null };
    if (read.fault !== null) refuseFaults([{ field: 'json', message: read.fault }]);
    const definition = (read.value ?? {}) as TestCase['definition'];
    const kind = definition.caller === undefined ? ('eval' as const) : ('simulation' as const);
    const body = { name, kind, definition };
    if (found === null) await call('addTestCase', { params: { id: suiteId }, body });
    else await call('updateTestCase', { params: { id: found.id }, body });
    say(t('Saved'));
    onDone();
  });
  const { values, field } = form;
  const toJson = (isJson: boolean) => {
    if (isJson) form.set('json', jsonText(definitionOf(values.turns)));
    form.set('isJson', isJson);
  };
  const remove = () =>
    confirm({
      title: t('Delete {name}?', { name: values.name }),
      text: t('What came of it in earlier runs stays.'),
      action: t('Delete the case'),
      perform: async () => {
        await call('deleteTestCase', { params: { id: found?.id ?? '' } });
        onDone();
      },
    });
  return (
    <Card title={found === null ? t('New case') : t('Edit {name}', { name: found.name })}>
      <SubmitForm
        form={form}
        shown={['name', 'json']}
        send={t('Save the case')}
        onCancel={onDone}
        beside={
          found !== null && (
            <Button look="danger" onClick={remove}>
              {t('Delete the case')}
            </Button>
          )
        }
      >
        <TextField label={t('Name of the case')} {...field('name')} required />
        {values.isJson ? (
          <div class="code-field">
            <TextArea
              label={t('Definition, as JSON')}
              hint={t('Turns, tools and their answers, context, and all kinds of checks.')}
              {...field('json')}
              rows={16}
            />
          </div>
        ) : (
          <Rows
            items={values.turns}
            onChange={(turns) => form.set('turns', turns)}
            fresh={() => FRESH}
            itemName={t('turn')}
            addText={t('Add a turn')}
          >
            {(turn, _, change) => (
              <div class="stack tight">
                <TextField
                  label={t('The caller says')}
                  value={turn.say}
                  onChange={(text) => change({ say: text })}
                  required
                />
                <div class="parts two">
                  <TextArea
                    label={t('The agent must say')}
                    hint={t('Words; on several lines one of them is enough. * stands for any words.')}
                    rows={2}
                    value={turn.said}
                    onChange={(said) => change({ said })}
                  />
                  <TextArea
                    label={t('It must not say')}
                    rows={2}
                    value={turn.notSaid}
                    onChange={(notSaid) => change({ notSaid })}
                  />
                </div>
              </div>
            )}
          </Rows>
        )}
        {(found === null || turnsOf(found.definition) !== null) && (
          <Checkbox
            label={t('Write it as JSON')}
            hint={t('For tools and their answers, variables, transfers, and other checks.')}
            value={values.isJson}
            onChange={toJson}
          />
        )}
      </SubmitForm>
    </Card>
  );
}
