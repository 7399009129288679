import { TERMS_VERSION } from '@app/domain';
import { Link } from 'react-router-dom';
import { buttonClasses, NovaMark, PageHeader } from '@/shared/ui';
import { termsSections } from './terms-text';

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
