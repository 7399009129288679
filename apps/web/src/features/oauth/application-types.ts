import type { Schemas } from '@/shared/api';

/** An application as its owner sees it. */
export type Application = Schemas['ApplicationDto'];
export type NewApplication = Schemas['RegisterApplicationDto'];
/** What its owner may change later; an empty text takes a value away. */
export type ApplicationEdit = Schemas['ApplicationChangesDto'];
/** An application that the member has let act for them. */
export type AuthorizedApplication = Schemas['AuthorizedApplicationDto'];
/** The Nova of an application. */
export type AppWallet = Schemas['ApplicationWalletDto'];
export type AppWalletEntry = Schemas['WalletEntryDto'];
/** What an application did with the member's Nova. */
export type UsedApplication = Schemas['ApplicationUseDto'];
