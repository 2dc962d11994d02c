/** URL of a sign-in page: by its path, or by the query parameters of forum software. */
export const SIGN_IN_PATH =
  /^[^?#]{0,400}\/(?:(?:[a-z]{2,10}[-_])?(?:log-?[io]n|sign-?in|sign_in)(?:[-_]?(?:form|page|required))?|authwall|auth(?:enticate|entication|orize)?|sessions?\/new|anmelden|anmeldung|einloggen|connexion|se-connecter|identification|iniciar-sesion|acceder|accedi|entrar|inloggen|aanmelden|logga-in|logowanie|prihlaseni|bejelentkezes|giris|vhod)(?:[./?#;]|$)|[?&](?:mode|action|do|title)=[^&#]{0,20}log-?in\b|#!?\/(?:log-?in|sign-?in|auth)\b/i;
/** Title of a sign-in page. */
export const SIGN_IN =
  /\b(?:log[ -]?[io]n|sign[ -]?in|anmeld\w{1,5}|einloggen|connexion|identifi\w{1,8}|se connecter|accedi|entrar|inloggen|aanmelden|logowanie|zaloguj)\b|iniciar sesión|inicio de sesión|přihlášení|oturum aç|вход|войти|авторизация|登录|登入|登錄|ログイン|サインイン|로그인|تسجيل الدخول|התחברות|đăng nhập/i;
