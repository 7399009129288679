import { TERMS_VERSION } from '@app/domain';
import { Link } from 'react-router-dom';
import { buttonClasses, NovaMark, PageHeader } from '@/shared/ui';

/** The Terms & Conditions, readable signed out (rule screens-3). */
export function TermsPage() {
  return (
    <div className="mx-auto min-h-dvh max-w-2xl px-4 py-6 sm:py-12">
      <header>
        <Link to="/" className={buttonClasses({ variant: 'ghost', className: '-ml-4 mb-6 gap-2 font-display' })}>
          <NovaMark className="size-4" /> Nova
        </Link>
      </header>
      <main>
        <PageHeader title="Terms & Conditions" description={`Version ${TERMS_VERSION}`} />
        <div className="grid gap-8">
          {termsSections.map(({ title, paragraphs }, index) => (
            <section key={title}>
              <h2 className="text-lg font-semibold">{`${index + 1}. ${title}`}</h2>
              {paragraphs.map((paragraph) => (
                <p key={paragraph} className="mt-3 text-base text-ink-muted">
                  {paragraph}
                </p>
              ))}
            </section>
          ))}
        </div>
      </main>
    </div>
  );
}

/** Terms & Conditions, version 1.0. A change of meaning needs a new version, to which members consent again. */
const termsSections: readonly { title: string; paragraphs: readonly string[] }[] = [
  {
    title: 'What these terms are',
    paragraphs: [
      'These terms are the agreement between you and the operator of Nova, a place to discover people, chat with them and give. By creating an account or signing in you accept them.',
      'If you do not agree with them, do not use Nova. You must be at least 18 years old and able to enter into a contract where you live.',
    ],
  },
  {
    title: 'Your account',
    paragraphs: [
      'Give true details, keep your password and your recovery PIN to yourself, and use one account. Whoever knows your email address and your recovery PIN can set a new password, so treat the PIN like a key.',
      'Up to 10 devices can be signed in to an account. With your password you can see and remove them from the sign-in screen. You are responsible for what happens through your account until you tell us that somebody else has access to it.',
    ],
  },
  {
    title: 'Nova, Karma and Influence',
    paragraphs: [
      'Nova is a digital currency for use inside Nova only. It is a limited licence to use features of the service: it is not money, a deposit, a security or an investment, it bears no interest, and it cannot be exchanged for cash except where the law requires it.',
      'Nova can be bought with a card at the rate shown before you pay (1,250 Nova for one US dollar, rounded up to the next cent) or earned inside the service. What you bought is spent before what you earned. Karma and Influence are tokens that record participation; they too have no value outside Nova.',
      'Every movement of Nova is written to a permanent ledger. Your statement in the Wallet shows all of yours.',
    ],
  },
  {
    title: 'Payments, gifts and refunds',
    paragraphs: [
      'Before a payment or a gift is sent you see what it costs and who receives how much. Of a gift, half goes to the recipient and half is shared among the holders of Influence. Gifts and payments that have been carried out are final.',
      'A payment for a chat is held until the chat ends. It is returned in full when the host declines, does not answer in time or breaks the chat off, and in part when you break it off yourself, as shown in the chat.',
      'Bought Nova is non-refundable, except where the law gives you a right to a refund. If a card payment is refunded or disputed, the Nova bought with it is taken back, and an account that owes Nova may be frozen until it is settled.',
    ],
  },
  {
    title: 'How to behave',
    paragraphs: [
      'Be honest and respectful. Do not harass, threaten, deceive or impersonate anybody; do not post what is illegal, sexual content involving minors, other people’s private data, or what you have no right to share; do not send spam, manipulate ratings, or move Nova to hide where it comes from.',
      'Do not attack or overload the service, take data from it automatically without permission, or get round its limits. Applications may act for you only through the developer interface and with your consent.',
    ],
  },
  {
    title: 'What you post',
    paragraphs: [
      'What you write and upload stays yours. You allow us to store it, and to show it to the people you share it with, as long as it is on Nova. You can delete it; copies in backups disappear with them.',
      'We may remove what breaks these terms, and we say why where the law allows it.',
    ],
  },
  {
    title: 'Data and cookies',
    paragraphs: [
      'We process your name, email address, device details, activity and transactions to run the service, to keep it safe and to meet legal duties. We do not sell your data and use no advertising tracking. Essential cookies keep you signed in; analytics cookies are used only with your consent.',
      'You may ask for a copy of your data, for its correction, or for its deletion. Entries of the ledger stay, without your personal details, because the books must balance.',
    ],
  },
  {
    title: 'Ending and suspending',
    paragraphs: [
      'You can ask the operator’s support address at any time to close your account. Nova in a closed account is forfeited after what it owes has been settled, so spend or give it before you close it.',
      'We may suspend or close an account that breaks these terms or puts others at risk. Except in urgent cases we tell you first and hear you.',
    ],
  },
  {
    title: 'Liability',
    paragraphs: [
      'We run Nova with care but cannot promise that it is always available or free of errors. We are liable without limit for intent, gross negligence and harm to life or health, and otherwise only for foreseeable damage from the breach of essential duties.',
    ],
  },
  {
    title: 'Changes and contact',
    paragraphs: [
      'We may change these terms for good reasons, such as new features or laws. You see a new version and accept it before you go on. The law of the operator’s seat applies; mandatory consumer protection of your country remains.',
      'Questions and complaints reach us through the operator’s support address.',
    ],
  },
];
