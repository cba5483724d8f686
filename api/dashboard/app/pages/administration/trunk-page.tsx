// One trunk: its live state, and all its fields.
import type { Trunk } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatNumber, formatWord } from '../../format.ts';
import type { PageProps } from '../../page-props.ts';
import { go, link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { Card, Facts, Notice, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { TRUNK_FIELDS, TrunkFields } from './trunk-fields.tsx';
import { TrunkState } from './trunk-state.tsx';
import { bodyOf, valuesOf } from './trunk-values.ts';

const EVERY_MS = 3_000;

export default function TrunkPage({ params: { id = '' } }: PageProps) {
  const trunk = useApi('getTrunk', { params: { id } }, { everyMs: EVERY_MS });
  const found = trunk.answer?.data;
  return (
    <Page
      title={found?.name ?? t('Trunk')}
      back={{ href: link('/admin/trunks'), text: t('Trunks') }}
      actions={found === undefined ? undefined : <Delete trunk={found} />}
    >
      <Answer of={trunk}>
        {({ data }) => (
          <>
            <Live trunk={data} />
            <Invites id={data.id} />
            <TrunkForm trunk={data} key={data.id} onSaved={trunk.reload} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function Live({ trunk }: { trunk: Trunk }) {
  const { registration, health, lastError, lastErrorAt, activeCalls, maxConcurrentCalls } = trunk;
  return (
    <>
      {lastError !== null && (
        <Notice tone="bad">
          <strong>{lastError}</strong>
          <span class="small">{adviceOf(lastError)}</span>
          <span class="small">
            <Time at={lastErrorAt} />
          </span>
        </Notice>
      )}
      <Facts
        facts={[
          [t('State'), <TrunkState key="state" of={trunk} />],
          [
            t('Registered until'),
            registration.expiresAt === null ? null : <Time key="r" at={registration.expiresAt} />,
          ],
          [t('Last checked'), <Time key="health" at={health.checkedAt} none={t('Not yet')} ago />],
          [
            t('Calls now'),
            t('{done} of {total}', { done: formatNumber(activeCalls), total: formatNumber(maxConcurrentCalls) }),
          ],
          [t('Added'), <Time key="added" at={trunk.createdAt} />],
        ]}
      />
    </>
  );
}

const RULES: Record<string, string> = {
  plus: words('Its plus'),
  setting: words('The setting of this trunk'),
  only_reading: words('Valid in one way only'),
  own_number: words('It is one of your numbers'),
  e164_first: words('E.164, of two valid readings'),
  as_sent: words('No telephone number'),
};

/** A provider writes numbers in its own way: here is seen how they arrive. */
function Invites({ id }: { id: string }) {
  const invites = useApi('listReadInvites', { params: { id } }, { everyMs: EVERY_MS });
  const read = (received: string, number: string) =>
    received === number ? (
      <span class="number">{number}</span>
    ) : (
      <span class="row">
        <span class="number soft">{received}</span>
        <span class="number">{number}</span>
      </span>
    );
  return (
    <Answer of={invites}>
      {({ data }) =>
        data.length > 0 && (
          <Card>
            <Fieldset title={t('Last incoming calls')} hint={t('Numbers as they came, and as they were read.')}>
              <Table
                label={t('Last incoming calls')}
                rows={data}
                keyOf={(row) => row.id}
                columns={[
                  { title: t('When'), cell: ({ createdAt }) => <Time at={createdAt} /> },
                  {
                    title: t('Called'),
                    cell: ({ calledReceived, calledNumber }) => read(calledReceived, calledNumber),
                  },
                  {
                    title: t('Caller'),
                    cell: ({ callerReceived, callerNumber }) => read(callerReceived, callerNumber),
                  },
                  {
                    title: t('Read so by'),
                    cell: ({ rule }) => (RULES[rule] === undefined ? formatWord(rule) : t(RULES[rule])),
                  },
                ]}
              />
            </Fieldset>
          </Card>
        )
      }
    </Answer>
  );
}

const ADVICE: ReadonlyArray<[RegExp, string]> = [
  [
    /\b40[13]\b/,
    words('Check user name, password and the user name for digest; some providers have a domain per account.'),
  ],
  [/\b404\b/, words('The host or the domain is not the registrar’s.')],
  [
    /timeout|does not answer/i,
    words('A firewall, the wrong transport or port, or a provider that drops unknown senders silently.'),
  ],
  [
    /ENOTFOUND|EAI_AGAIN|no such host/,
    words('The host’s name cannot be found: check it, and this machine’s name servers.'),
  ],
  [
    /certificate|CERT/,
    words('The host must be the name in the certificate; add your own CA with NODE_EXTRA_CA_CERTS.'),
  ],
];

/** Advice from docs/trunks.md. It is found by the text of the error, which comes from the network without a code. */
const adviceOf = (error: string): string => t(ADVICE.find(([pattern]) => pattern.test(error))?.[1] ?? '');

function TrunkForm({ trunk, onSaved }: { trunk: Trunk; onSaved: () => void }) {
  const form = useForm(valuesOf(trunk), async ({ changes, rebase }) => {
    const { data } = await call('updateTrunk', { params: { id: trunk.id }, body: bodyOf(changes) });
    rebase(valuesOf(data));
    say(t('Saved'));
    onSaved();
  });
  useUnsaved(form.isChanged);
  const removePassword = () =>
    confirm({
      title: t('Remove the password of {name}?', { name: trunk.name }),
      text: t('Where the provider asks for one, registration and calls are refused.'),
      action: t('Remove the password'),
      perform: async () => {
        await call('updateTrunk', { params: { id: trunk.id }, body: { password: null } });
        say(t('Password removed'));
        onSaved();
      },
    });
  return (
    <SubmitForm
      form={form}
      shown={TRUNK_FIELDS}
      send={t('Save')}
      disabled={!form.isChanged}
      beside={<Button onClick={removePassword}>{t('Remove the password')}</Button>}
    >
      <TrunkFields form={form} id={trunk.id} />
    </SubmitForm>
  );
}

function Delete({ trunk: { id, name, activeCalls } }: { trunk: Trunk }) {
  const remove = () =>
    confirm({
      title: t('Delete the trunk {name}?', { name }),
      text: [
        ...(activeCalls > 0 ? [t('{count} calls run over it.', { count: formatNumber(activeCalls) })] : []),
        t('Calls from it are refused, and its numbers call out over the oldest trunk that is left.'),
      ].join(' '),
      action: t('Delete the trunk'),
      typed: name,
      perform: async () => {
        await call('deleteTrunk', { params: { id } });
        say(t('Deleted {name}', { name }));
        go(link('/admin/trunks'), { replace: true });
      },
    });
  return (
    <Button look="danger" onClick={remove}>
      {t('Delete')}
    </Button>
  );
}
