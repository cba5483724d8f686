// The page of phone numbers, with tabs for the numbers and for port-in orders.
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/layout.tsx';
import { currentTab, Tabs } from '../../ui/table.tsx';
import { t, words } from '../../words/words.ts';
import { NumberList } from './number-list.tsx';
import { PortOrderList } from './port-order-list.tsx';

const TABS: Array<['numbers' | 'port-in', string]> = [
  ['numbers', words('Your numbers')],
  ['port-in', words('Port-in orders')],
];

export default function PhoneNumbersPage() {
  const tab = currentTab(TABS);
  return (
    <Page
      title={t('Phone numbers')}
      lead={t('A number serves one campaign: its agent answers calls to it, and calls out with it.')}
      actions={
        <>
          <ButtonLink href={link('/phone-numbers/port-in/new')}>{t('Port a number in')}</ButtonLink>
          <ButtonLink look="primary" href={link('/phone-numbers/buy')}>
            {t('Buy a number')}
          </ButtonLink>
        </>
      }
    >
      <Tabs tabs={TABS.map(([name, text]) => [name, t(text)])} current={tab} />
      {tab === 'numbers' ? <NumberList /> : <PortOrderList />}
    </Page>
  );
}
