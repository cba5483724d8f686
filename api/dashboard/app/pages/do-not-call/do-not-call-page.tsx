// Numbers that neither a campaign nor a request may call.

import * as LIMITS from '../../api-limits.ts';
import { call } from '../../client.ts';
import { askToAllow, SOURCES } from '../../do-not-call/entries.ts';
import { useForm } from '../../form.ts';
import { TYPED_NUMBER } from '../../limits.ts';
import { personLink } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Card, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';

export default function DoNotCallPage() {
  const entries = useApi('listDoNotCall', { query: { page: currentPage(), limit: 50 } });
  return (
    <Page
      title={t('Do not call')}
      lead={t(
        'These numbers are not called: contacts that have one are left out without an attempt, in every campaign. People get here by asking an agent, or by pressing 9 where it was offered.',
      )}
    >
      <AddCard onAdded={entries.reload} />
      <List
        of={entries}
        label={t('Numbers that are not called')}
        empty={
          <Empty title={t('Nobody is on the list')}>
            {t('Numbers appear here as people ask not to be called again.')}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('Phone number'),
            cell: ({ phoneNumber }) => <a href={personLink(phoneNumber)}>{phoneNumber}</a>,
          },
          { title: t('Reason'), cell: ({ reason }) => reason ?? <span class="soft">–</span> },
          { title: t('How'), cell: ({ source }) => t(SOURCES[source]) },
          { title: t('Since'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: '',
            cell: (entry) => (
              <Button
                right="change"
                isSmall
                look="plain"
                label={t('Remove {phoneNumber} from the list', { phoneNumber: entry.phoneNumber })}
                onClick={() => askToAllow(entry, entries.reload)}
              >
                {t('Remove')}
              </Button>
            ),
          },
        ]}
      />
    </Page>
  );
}

function AddCard({ onAdded }: { onAdded: () => void }) {
  const form = useForm({ phoneNumber: '', reason: '' }, async ({ values, rebase }) => {
    const phoneNumber = values.phoneNumber.replace(/[\s().-]/g, '');
    const reason = values.reason.trim() === '' ? null : values.reason;
    const { data } = await call('addDoNotCall', { body: { phoneNumber, reason } });
    rebase({ phoneNumber: '', reason: '' });
    onAdded();
    say(t('{phoneNumber} is not called any more', { phoneNumber: data.phoneNumber }));
  });
  return (
    <Card title={t('Add a number')}>
      <SubmitForm right="work" form={form} shown={['phoneNumber', 'reason']} send={t('Add the number')}>
        <div class="parts two">
          <TextField
            label={t('Phone number')}
            hint={t("With the country's code: +44 20 7946 0123")}
            type="tel"
            {...form.field('phoneNumber')}
            limits={TYPED_NUMBER}
            required
          />
          <TextField
            label={t('Reason')}
            hint={t('May be left empty')}
            {...form.field('reason')}
            limits={LIMITS.AddDoNotCallBody.reason}
          />
        </div>
      </SubmitForm>
    </Card>
  );
}
