import { AuthPage } from './components/auth-page.js';

export default function SignInPage(): React.ReactNode {
  return <AuthPage kind="sign-in" title="Sign in" />;
}
