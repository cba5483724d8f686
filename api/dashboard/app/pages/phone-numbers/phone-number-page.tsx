// The page of one phone number and of its route.
import { useState } from 'preact/hooks';
import type { PhoneNumber } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatCountry } from '../../format.ts';
import type { PageProps } from '../../page-props.ts';
import { go, link } from '../../router.ts';
import { session } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { CampaignField, TrunkField } from '../../ui/fields/record-field.tsx';
import { Badge, Card, Facts, Notice, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { numberWords } from './number-words.ts';
import { RoutesCard } from './routes-card.tsx';

const back = () => ({ href: link('/phone-numbers'), text: t('Phone numbers') });

export default function PhoneNumberPage({ params: { id = '' } }: PageProps) {
  const number = useApi('getPhoneNumber', { params: { id } });
  if (number.answer === null) {
    return (
      <Page title={t('Phone number')} back={back()}>
        <Answer of={number}>{() => null}</Answer>
      </Page>
    );
  }
  return <LoadedNumber found={number.answer.data} key={id} />;
}

function LoadedNumber({ found }: { found: PhoneNumber }) {
  const [number, setNumber] = useState(found);
  const { id, phoneNumber, isActive } = number;
  const isAdmin = session.value?.user.role === 'ADMIN';
  const setActive = (next: boolean) =>
    attempt(
      async () => setNumber((await call('updatePhoneNumber', { params: { id }, body: { isActive: next } })).data),
      next ? t('Number activated') : t('Number deactivated'),
    );
  return (
    <Page
      title={phoneNumber}
      back={back()}
      actions={
        <Button right="change" onClick={() => void setActive(!isActive)}>
          {isActive ? t('Deactivate') : t('Activate')}
        </Button>
      }
    >
      {!isActive && (
        <Notice tone="warn">
          {t(
            'It is inactive: calls to it are refused, and nothing calls out with it. A number whose charges stay unpaid for seven days becomes inactive too.',
          )}
        </Notice>
      )}
      <Facts
        facts={[
          [
            t('State'),
            <Badge key="state" tone={isActive ? 'good' : 'warn'}>
              {isActive ? t('Active') : t('Inactive')}
            </Badge>,
          ],
          [t('Country'), number.country === null ? null : formatCountry(number.country)],
          [t('Type'), numberWords(number.type)],
          [t('Capabilities'), number.capabilities.map(numberWords).join(', ')],
          [t('Since'), <Time key="since" at={number.createdAt} />],
        ]}
      />
      <div class="stack narrow">
        <Route number={number} onSaved={setNumber} />
        <RoutesCard number={number} onSaved={setNumber} key={JSON.stringify(number.routes)} />
        {isAdmin && <TrunkCard number={number} onSaved={setNumber} />}
        <Release number={number} />
      </div>
    </Page>
  );
}

function Route({ number, onSaved }: { number: PhoneNumber; onSaved: (number: PhoneNumber) => void }) {
  const form = useForm({ campaignId: number.campaignId }, async ({ values, rebase }) => {
    const { data } = await call('updatePhoneNumber', { params: { id: number.id }, body: values });
    onSaved(data);
    rebase({ campaignId: data.campaignId });
    say(t('Saved'));
  });
  return (
    <Card title={t('Route')}>
      <SubmitForm form={form} shown={['campaignId']} send={t('Save')} disabled={!form.isChanged}>
        <CampaignField
          label={t('Campaign')}
          hint={t(
            'Its agent answers calls to this number, and the campaign can call out with it. The number leaves its present campaign.',
          )}
          none={t('None: your default campaign answers, if there is one')}
          {...form.field('campaignId')}
        />
      </SubmitForm>
    </Card>
  );
}

/** The trunk is a field of the number's inventory entry. */
function TrunkCard({ number, onSaved }: { number: PhoneNumber; onSaved: (number: PhoneNumber) => void }) {
  const { phoneNumber } = number;
  const form = useForm({ trunkId: number.trunkId }, async ({ values, rebase }) => {
    const { data } = await call('updateInventory', { params: { phoneNumber }, body: values });
    onSaved({ ...number, trunkId: data.trunkId });
    rebase({ trunkId: data.trunkId });
    say(t('Saved'));
  });
  return (
    <Card title={t('Trunk')}>
      <SubmitForm form={form} shown={['trunkId']} send={t('Save')} look="normal" disabled={!form.isChanged}>
        <TrunkField
          label={t('Calls leave by')}
          hint={t('From the next call on. Only admins see this.')}
          none={t('The oldest trunk')}
          {...form.field('trunkId')}
        />
      </SubmitForm>
    </Card>
  );
}

function Release({ number: { id, phoneNumber } }: { number: PhoneNumber }) {
  const release = () =>
    confirm({
      title: t('Release {phoneNumber}?', { phoneNumber }),
      text: t(
        'It stops taking calls at once, and costs nothing from next month on. You may not get it back. Running calls finish.',
      ),
      action: t('Release the number'),
      typed: phoneNumber,
      perform: async () => {
        const { data } = await call('releasePhoneNumber', { params: { id } });
        say(
          data.status === 'released'
            ? t('{phoneNumber} is released', { phoneNumber })
            : t('{phoneNumber} is released when its running calls have ended', { phoneNumber }),
        );
        go(link('/phone-numbers'), { replace: true });
      },
    });
  return (
    <Card title={t('Release')}>
      <p>{t('Gives the number back for good.')}</p>
      <div>
        <Button look="danger" onClick={release}>
          {t('Release the number')}
        </Button>
      </div>
    </Card>
  );
}
