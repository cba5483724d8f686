// The page of one phone number and of its route.
import { useState } from 'preact/hooks';
import type { PhoneNumber } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatCountry, formatWord } from '../../format.ts';
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
import { RoutesCard } from './routes-card.tsx';

const back = { href: link('/phone-numbers'), text: 'Phone numbers' };

export default function PhoneNumberPage({ params: { id = '' } }: PageProps) {
  const number = useApi('getPhoneNumber', { params: { id } });
  if (number.answer === null) {
    return (
      <Page title="Phone number" back={back}>
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
      next ? 'Number activated' : 'Number deactivated',
    );
  return (
    <Page
      title={phoneNumber}
      back={back}
      actions={
        <Button right="change" onClick={() => void setActive(!isActive)}>
          {isActive ? 'Deactivate' : 'Activate'}
        </Button>
      }
    >
      {!isActive && (
        <Notice tone="warn">
          It is inactive: calls to it are refused, and nothing calls out with it. A number whose charges stay unpaid for
          seven days becomes inactive too.
        </Notice>
      )}
      <Facts
        facts={[
          [
            'State',
            <Badge key="state" tone={isActive ? 'good' : 'warn'}>
              {isActive ? 'Active' : 'Inactive'}
            </Badge>,
          ],
          ['Country', number.country === null ? null : formatCountry(number.country)],
          ['Type', formatWord(number.type)],
          ['Capabilities', number.capabilities.map(formatWord).join(', ')],
          ['Since', <Time key="since" at={number.createdAt} />],
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
    say('Saved');
  });
  return (
    <Card title="Route">
      <SubmitForm form={form} shown={['campaignId']} send="Save" disabled={!form.isChanged}>
        <CampaignField
          label="Campaign"
          hint="Its agent answers calls to this number, and the campaign can call out with it. The number leaves its present campaign."
          none="None: your default campaign answers, if there is one"
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
    say('Saved');
  });
  return (
    <Card title="Trunk">
      <SubmitForm form={form} shown={['trunkId']} send="Save" look="normal" disabled={!form.isChanged}>
        <TrunkField
          label="Calls leave by"
          hint="From the next call on. Only admins see this."
          none="The oldest trunk"
          {...form.field('trunkId')}
        />
      </SubmitForm>
    </Card>
  );
}

function Release({ number: { id, phoneNumber } }: { number: PhoneNumber }) {
  const release = () =>
    confirm({
      title: `Release ${phoneNumber}?`,
      text: 'It stops taking calls at once, and costs nothing from next month on. You may not get it back. Running calls finish.',
      action: 'Release the number',
      typed: phoneNumber,
      perform: async () => {
        const { data } = await call('releasePhoneNumber', { params: { id } });
        say(
          data.status === 'released'
            ? `${phoneNumber} is released`
            : `${phoneNumber} is released when its running calls have ended`,
        );
        go(link('/phone-numbers'), { replace: true });
      },
    });
  return (
    <Card title="Release">
      <p>Gives the number back for good.</p>
      <div>
        <Button look="danger" onClick={release}>
          Release the number
        </Button>
      </div>
    </Card>
  );
}
