/** An application as its owner sees it (S1 §3 OAuth application). */
export interface Application {
  id: string;
  clientId: string;
  name: string;
  description: string | null;
  logoUrl: string | null;
  applicationUrl: string | null;
  redirectUris: string[];
  scopes: string[];
  isActive: boolean;
  /** Without a secret: it proves itself by PKCE alone. */
  isPublic: boolean;
  createdAt: string;
}

export interface NewApplication {
  name: string;
  description?: string;
  logoUrl?: string;
  applicationUrl?: string;
  redirectUris: string[];
  scopes: string[];
  isPublic: boolean;
}

/** What its owner may change later; an empty text takes a value away. */
export type ApplicationEdit = Partial<Omit<NewApplication, 'isPublic'> & { isActive: boolean }>;

/** An application that the member has let act for them (S1 §3 Authorized application). */
export interface AuthorizedApplication {
  id: string;
  name: string;
  description: string | null;
  logoUrl: string | null;
  applicationUrl: string | null;
  grantedScopes: string[];
  /** Nova a day; only with scope nova. */
  dailyLimit: number | null;
  firstConsentAt: string;
  lastConsentAt: string;
}

/** The Nova of an application. */
export interface AppWallet {
  balance: number;
  purchased: number;
  earned: number;
  totals: { spent: number; paid: number; funded: number; withdrawn: number };
}

export interface AppWalletEntry {
  id: string;
  type: 'spend' | 'earn' | 'fund' | 'withdraw';
  amount: number;
  member: { id: string; displayName: string } | null;
  description: string | null;
  createdAt: string;
}

export interface AppWalletPage {
  entries: AppWalletEntry[];
  nextCursor: string | null;
}

/** What an application did with the member's Nova. */
export interface UsedApplication {
  clientId: string;
  name: string;
  logoUrl: string | null;
  spent: number;
  transferred: number;
  earned: number;
  spentToday: number;
  dailyLimit: number | null;
  lastUsedAt: string | null;
}
