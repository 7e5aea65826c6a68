import fc from 'fast-check'
import { expect, it } from 'vitest'
import { maskedCommand, maskedScript } from './masked-command'

it.each([
  ['train.py hold 8 --api-key=XXXX', 'train.py hold 8 --api-key=•••'],
  ['serve --api-key XXXX --port 80', 'serve --api-key ••• --port 80'],
  ['env HF_TOKEN=abc python3 a.py', 'env HF_TOKEN=••• python3 a.py'],
  ["run --password 'two words' x", 'run --password ••• x'],
  ['psql postgres://me:hunter2@db/x', 'psql postgres://me:•••@db/x'],
  ['a.py hf_abcdefghijklmnop', 'a.py •••'],
  ['a.py sk-proj-abcdefghijklmnopqrstu', 'a.py •••'],
  ['curl -H Authorization: Bearer x y', 'curl -H Authorization: Bearer ••• y'],
  ['serve --authorization Bearer x y', 'serve --authorization Bearer ••• y'],
  ['X_AUTHORIZATION_TOKEN=abc a.py', 'X_AUTHORIZATION_TOKEN=••• a.py'],
  ['DB_PASS=abc MYSQL_PWD=abc a.py --pass x', 'DB_PASS=••• MYSQL_PWD=••• a.py --pass •••'],
  ['a.py --hf_key abc --private-key=x', 'a.py --hf_key ••• --private-key=•••'],
  ['sshpass -p hunter2 ssh x', 'sshpass -p ••• ssh x'],
  ['curl -u me:hunter2 x', 'curl -u me:••• x'],
  ['a.py nvapi-abcdefghijklmnopqrst glpat-abcdefghijklmnopqrst', 'a.py ••• •••'],
  ['a.py --passes 3 --author Ann --sort-key t', 'a.py --passes 3 --author Ann --sort-key t'],
  ['vllm serve m --max-tokens 512 --tokenizer t', 'vllm serve m --max-tokens 512 --tokenizer t'],
  ['a.py --token-file /run/secrets', 'a.py --token-file /run/secrets'],
  ['python3 train.py --lr 3e-4', 'python3 train.py --lr 3e-4'],
  [`docker run -e "HF_TOKEN=abc" -e 'A_TOKEN=b c' x`, `docker run -e "HF_TOKEN=•••" -e 'A_TOKEN=•••' x`],
  ['docker run --env=HF_TOKEN=abc x', 'docker run --env=HF_TOKEN=••• x'],
  ['curl -H "X-Api-Key: abc" https://x', 'curl -H "X-Api-Key: •••" https://x'],
  ['curl https://x/?a=1&token=abc&b=2', 'curl https://x/?a=1&token=•••&b=2'],
  ['{"user": "joe", "password": "a\\"b", "port": 1}', '{"user": "joe", "password": •••, "port": 1}'],
  ["{'api_key':'abc'}", "{'api_key':•••}"],
  ['  password: abc', '  password: •••'],
  ['a;TOKEN="abc"def b', 'a;TOKEN=••• b'],
  ['echo "joe:pw" | sudo chpasswd', 'echo "joe:•••" | sudo chpasswd'],
  ["chpasswd <<< 'joe:pw'", "chpasswd <<< 'joe:•••'"],
  ['git clone https://token@host/x', 'git clone https://•••@host/x'],
  ['git clone https://token:x-oauth-basic@host/x', 'git clone https://•••:•••@host/x'],
  ['psql postgres://me:p@ss@db/x', 'psql postgres://me:•••@db/x'],
  ['ssh://git@host/x', 'ssh://git@host/x'],
  ['SetEnv=WANDB_API_KEY=abc SetEnv=LANG=C', 'SetEnv=WANDB_API_KEY=••• SetEnv=LANG=C'],
  ['GIT_AUTHOR_NAME=Ada a.py --authors=x', 'GIT_AUTHOR_NAME=Ada a.py --authors=x'],
  ['echo "a: b" | tee x', 'echo "a: b" | tee x'],
  ['a.py --json {"max_tokens":512}', 'a.py --json {"max_tokens":512}'],
  ['docker run -p 8080:80 nginx', 'docker run -p 8080:80 nginx'],
  ['docker run --name mysql -p3306:3306 mysql:8', 'docker run --name mysql -p3306:3306 mysql:8'],
  ['docker login -u me -p pw; docker run -p 80:80 x', 'docker login -u me -p •••; docker run -p 80:80 x'],
  ['ssh -p 2222 login && ssh login -p 2222', 'ssh -p 2222 login && ssh login -p 2222'],
  ['sshpass -p pw ssh -p 22 x', 'sshpass -p ••• ssh -p 22 x'],
  ['mysql -u root -p db -P 3306', 'mysql -u root -p db -P 3306'],
  ['curl -L -o /tmp/a:b https://x/y:z', 'curl -L -o /tmp/a:b https://x/y:z'],
  ['htpasswd -c /etc/users joe', 'htpasswd -c /etc/users joe'],
  ['htpasswd -nbB joe pw > /etc/users', 'htpasswd -nbB joe ••• > /etc/users'],
  ['passwd -l joe; getent passwd joe; gh auth login', 'passwd -l joe; getent passwd joe; gh auth login'],
  ['grep joe /etc/passwd | tee x', 'grep joe /etc/passwd | tee x'],
  ['echo begin; echo pw | passwd --stdin joe', 'echo begin; echo ••• | passwd --stdin joe'],
  ['(echo pw; echo pw) | sudo smbpasswd -s joe', '(echo •••; echo •••) | sudo smbpasswd -s joe'],
  ['echo pw | tee x | passwd joe', 'echo ••• | tee x | passwd joe'],
  ["ssh host 'echo joe:pw | chpasswd'", "ssh host 'echo joe:••• | chpasswd'"],
  ['- "echo pw | sudo passwd joe"', '- "echo ••• | sudo passwd joe"'],
  ['lock_passwd: false', 'lock_passwd: false'],
  ['secretKeyRef: {name: x, key: token}', 'secretKeyRef: {name: x, key: token}'],
  ['KAGGLE_KEY=abc SSHPASS=abc a.py', 'KAGGLE_KEY=••• SSHPASS=••• a.py'],
  ['API_KEY = "abc"', 'API_KEY = •••'],
  ['aws_secret_access_key = abc', 'aws_secret_access_key = •••'],
  ['password: {SSHA}abc', 'password: •••'],
  ['{"username":"joe","key":"abc"}', '{"username":"joe","key":•••}'],
  ['//registry.npmjs.org/:_authToken=abc', '//registry.npmjs.org/:_authToken=•••'],
  ['os.environ["HF_TOKEN"]="abc"', 'os.environ["HF_TOKEN"]=•••'],
  ["wandb.login(key='abc')", 'wandb.login(key=•••)'],
  ['machine host login joe password abc', 'machine host login joe password •••'],
  ['export TOKEN=$(cat x y) b', 'export TOKEN=••• b'],
  ['echo pw | vncpasswd -f > x', 'echo ••• | vncpasswd -f > x'],
  ['useradd -p $(echo pw | openssl passwd -stdin) joe', 'useradd -p ••• joe'],
  ['x="$(echo pw | openssl passwd -stdin)"', 'x="$(echo ••• | openssl passwd -stdin)"'],
  ['redis-cli -a pw get x; unzip -P pw x.zip', 'redis-cli -a ••• get x; unzip -P ••• x.zip'],
  ['wandb login --relogin abc', 'wandb login --relogin •••'],
  ['for u in a b; do echo "$u:pw"; done | chpasswd', 'for u in a b; do echo "$u:•••"; done | chpasswd'],
  ['- [sh, -c, "echo joe:pw | chpasswd"]', '- [sh, -c, "echo joe:••• | chpasswd"]'],
  ['kubectl create secret generic db', 'kubectl create secret generic db'],
  ['git commit -m "fix auth token refresh"', 'git commit -m "fix auth token refresh"'],
  ['a.py --pad_token_id 0', 'a.py --pad_token_id 0'],
  ['docker run --env HF_TOKEN x', 'docker run --env HF_TOKEN x'],
  ['if token == x:', 'if token == x:'],
  ['TOKEN= python3 a.py', 'TOKEN= python3 a.py'],
  ['echo a | sudo tee -a /etc/passwd', 'echo a | sudo tee -a /etc/passwd'],
  ['cat <<< a; echo a:b', 'cat <<< a; echo a:b'],
  ['setenv HF_TOKEN pw && set -gx HF_TOKEN pw', 'setenv HF_TOKEN ••• && set -gx HF_TOKEN •••'],
  ['ENV HF_TOKEN pw', 'ENV HF_TOKEN •••'],
  ['aws configure set aws_secret_access_key pw', 'aws configure set aws_secret_access_key •••'],
  ['git config --global github.token pw', 'git config --global github.token •••'],
  ['git config --global credential.helper store', 'git config --global credential.helper store'],
  ['ssh root@h chpasswd <<< joe:pw', 'ssh root@h chpasswd <<< joe:•••'],
  ['echo pw | ssh h passwd --stdin joe', 'echo ••• | ssh h passwd --stdin joe'],
  ['x=`curl -s -u me:pw https://x`', 'x=`curl -s -u me:••• https://x`'],
  ['x=`sshpass -p pw ssh h', 'x=`sshpass -p ••• ssh h'],
  ['curl `cat x` -u me:pw x', 'curl `cat x` -u me:••• x'],
  ['x=$(curl -u me:pw x', 'x=$(curl -u me:••• x'],
  ['run: echo joe:pw | chpasswd', 'run: echo joe:••• | chpasswd'],
  ['bash -c "echo joe:pw | chpasswd', 'bash -c "echo joe:••• | chpasswd'],
  ['a.py --password \\$ecret && a.py --password \\!x', 'a.py --password ••• && a.py --password •••'],
  ['PASSWORD==x a.py; pip install google-auth==2.0', 'PASSWORD=••• a.py; pip install google-auth==2.0'],
  ['docker run --name mysql -p127.0.0.1:3306:3306 x', 'docker run --name mysql -p127.0.0.1:3306:3306 x'],
  ['kubectl exec mysql-0 -- psql -p5432', 'kubectl exec mysql-0 -- psql -p5432'],
  ['htpasswd -b f joe pw 2>/dev/null', 'htpasswd -b f joe ••• 2>/dev/null'],
  ['htpasswd -b f joe pw &>/dev/null # a', 'htpasswd -b f joe ••• &>/dev/null # a'],
])('a command shows no secrets: %s', (command, masked) => {
  expect(maskedCommand(command)).toBe(masked)
})

it('a script shows no private key, and its other lines stay where they are', () => {
  const script = [
    'cat > key <<EOF',
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    'b3BlbnNzaC1rZXktdjEA',
    '-----END OPENSSH PRIVATE KEY-----',
    'EOF',
    'echo done',
  ].join('\n')
  expect(maskedScript(script)).toBe('cat > key <<EOF\n•••\n\n\nEOF\necho done')
  const cut = script.split('\n').slice(0, 3).join('\n')
  expect(maskedScript(cut)).toBe('cat > key <<EOF\n•••\n')
  const json = String.raw`{"key": "-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n"}`
  expect(maskedScript(json)).not.toContain('MII')
})

it('a script shows no passwords in the input of chpasswd', () => {
  expect(maskedScript("chpasswd <<'EOF'\njoe:pw\nada:p w\nEOF\necho a:b")).toBe(
    "chpasswd <<'EOF'\njoe:•••\nada:•••\nEOF\necho a:b",
  )
  expect(maskedScript('cat <<-A | sudo chpasswd -c SHA512\n\tjoe:pw\n\tA\n')).toBe(
    'cat <<-A | sudo chpasswd -c SHA512\n\tjoe:•••\n\tA\n',
  )
})

const yaml = (...lines: readonly string[]): string => lines.join('\n')

it.each([
  [
    yaml('- name: API_KEY', '  value: ab c', '- name: MODE', '  value: fast'),
    yaml('- name: API_KEY', '  value: •••', '- name: MODE', '  value: fast'),
  ],
  [
    yaml('- value: abc', '  name: API_KEY', '- name: max_tokens', '  value: 512'),
    yaml('- value: •••', '  name: API_KEY', '- name: max_tokens', '  value: 512'),
  ],
  [
    yaml('- name: API_KEY', '  value: |-', '    abc', '    def', '- name: b'),
    yaml('- name: API_KEY', '  value: |-', '    •••', '    •••', '- name: b'),
  ],
  [yaml('password: >', '  abc', '  def', 'next: a'), yaml('password: >', '  •••', '  •••', 'next: a')],
  [
    '[{"name":"MODE","value":"x"},{"name":"API_KEY","value":"a,b"}]',
    '[{"name":"MODE","value":"x"},{"name":"API_KEY","value":•••}]',
  ],
  ['{name: API_KEY, value: abc}', '{name: API_KEY, value: •••}'],
  [
    yaml(
      'chpasswd:',
      '  expire: false',
      '  list: |',
      '    root:pw',
      '    joe:p w',
      'runcmd:',
      '  - echo a:b',
    ),
    yaml(
      'chpasswd:',
      '  expire: false',
      '  list: |',
      '    root:•••',
      '    joe:•••',
      'runcmd:',
      '  - echo a:b',
    ),
  ],
  [
    yaml('chpasswd:', '  list:', '    - root:pw', 'users:', '  - plain_text_passwd: pw'),
    yaml('chpasswd:', '  list:', '    - root:•••', 'users:', '  - plain_text_passwd: •••'),
  ],
  [yaml('passwd joe <<EOF', 'pw', 'pw', 'EOF', 'ls'), yaml('passwd joe <<EOF', '•••', '•••', 'EOF', 'ls')],
  [
    yaml('docker login \\', '  -u me \\', '  -p pw', 'ls'),
    yaml('docker login \\', '  -u me \\', '  -p •••', 'ls'),
  ],
  [
    yaml('ulimit -l $((1<<20))', 'cat <<< a', 'chpasswd <<EOF', 'joe:pw', 'EOF', 'echo a:b'),
    yaml('ulimit -l $((1<<20))', 'cat <<< a', 'chpasswd <<EOF', 'joe:•••', 'EOF', 'echo a:b'),
  ],
  [
    yaml("cat > x <<'A'", 'chpasswd <<EOF', 'joe:pw', 'EOF', "echo it's", 'A', 'echo a:b'),
    yaml("cat > x <<'A'", 'chpasswd <<EOF', 'joe:•••', 'EOF', "echo it's", 'A', 'echo a:b'),
  ],
  [
    yaml('docker login --password-stdin <<< pw', 'ls -l'),
    yaml('docker login --password-stdin <<< •••', 'ls -l'),
  ],
  [yaml('machine h', '  login joe', '  password pw'), yaml('machine h', '  login joe', '  password •••')],
  [yaml('docker login --password-stdin <<EOF', 'ls'), yaml('docker login --password-stdin <<EOF', '•••')],
  [
    yaml('cat <<EOF | docker exec -i c chpasswd', 'joe:pw', 'ada:$(p w'),
    yaml('cat <<EOF | docker exec -i c chpasswd', 'joe:•••', 'ada:•••'),
  ],
  [yaml('chpasswd <<< joe:pw', 'echo a:b'), yaml('chpasswd <<< joe:•••', 'echo a:b')],
  [yaml("# don't", 'echo joe:pw | chpasswd', "# it's"), yaml("# don't", 'echo joe:••• | chpasswd', "# it's")],
])('a script shows no secrets of several lines: %s', (script, masked) => {
  expect(maskedScript(script)).toBe(masked)
})

it.each([
  yaml('secretKeyRef:', '    name: hf', '    key: token', '- name: MODE', '  value: fast'),
  yaml('name: my-secret', 'labels:', '  value: x'),
  yaml('sudo docker run -v /etc/passwd:/etc/passwd:ro x bash <<EOF', 'ls', 'EOF'),
])('a script without secrets stays as it is: %s', (script) => {
  expect(maskedScript(script)).toBe(script)
})

it('long texts without ends of quotes, groups and documents are masked to the end', () => {
  const parts = [
    "''",
    '"a"',
    'token',
    '-token',
    '"token:',
    '<<A\n',
    'cat <<A\nA\n',
    '$(',
    '"k0":"v0",',
    '\n',
    '"\\"',
    'eyJ-',
    '`',
    'config a ',
    'chpasswd <<A\n',
    '2>a ',
    '--passpass',
    '# \'"\' " $(\n',
  ]
  for (const part of parts)
    for (const start of ['', '--value ', '- name: API_KEY', 'login ', '{', '"'])
      expect(maskedScript(`${start}${part.repeat(8_192)} x\nAPI_KEY=abc`)).not.toContain('abc')
})

/** Lines that hold a secret. Each also has another word, `kept`, which is shown. */
const holders: readonly ((secret: string) => string)[] = [
  (secret) => `docker login -u kept -p ${secret} ghcr.io`,
  (secret) => `sudo podman login --username=kept -p=${secret}`,
  (secret) => `az login -u kept -p ${secret}`,
  (secret) => `docker login -u kept --password ${secret}`,
  (secret) => `sshpass -p ${secret} ssh kept`,
  (secret) => `sshpass -v -p${secret} ssh kept`,
  (secret) => `mysqldump -ukept -p${secret} db`,
  (secret) => `docker exec kept sh -c "mariadb -uroot -p${secret}"`,
  (secret) => `curl -sSu kept:${secret} https://host`,
  (secret) => `curl --proxy-user "kept:${secret} x" -u 'a:${secret}' https://host`,
  (secret) => `git clone https://kept:${secret}@host/x`,
  (secret) => `htpasswd -cb /etc/users kept ${secret}`,
  (secret) => `usermod -p ${secret} kept`,
  (secret) => `openssl passwd -6 ${secret} | tee kept`,
  (secret) => `echo ${secret} | sudo passwd --stdin kept`,
  (secret) => `printf '%s\\n' "${secret}" "${secret}" | passwd kept`,
  (secret) => `(echo ${secret}; echo ${secret}) | passwd kept`,
  (secret) => `passwd --stdin kept <<< "${secret} ${secret}"`,
  (secret) => `echo kept:${secret} | chpasswd`,
  (secret) => `echo 'kept:${secret}' | arch-chroot /mnt chpasswd -e`,
  (secret) => `chpasswd <<< 'kept:${secret} ${secret}'`,
  (secret) => `chpasswd <<EOF\nkept:${secret}\nEOF`,
  (secret) => `echo ${secret} | docker login -u kept --password-stdin`,
  (secret) => `docker login -u kept --password-stdin <<< ${secret}`,
  (secret) => `gh auth login --with-token <<< ${secret} # kept`,
  (secret) => `echo ${secret} | sudo -S -p '' kept`,
  (secret) => `chpasswd:\n  list: |\n    kept:${secret}\n    root:${secret}`,
  (secret) => `chpasswd: {list: "kept:${secret}"} # kept`,
  (secret) => `users:\n  - name: kept\n    plain_text_passwd: ${secret}`,
  (secret) => `- name: API_KEY\n  value: ${secret}\n- name: kept`,
  (secret) => `{"name": "DB_PASSWORD", "value": "${secret}", "kept": 1}`,
  (secret) => `aws ssm put-parameter --name /kept/DB_PASSWORD --value ${secret}`,
]

it('no form of a secret shows it, whatever its characters, and masking again changes nothing', () => {
  const secrets = fc.stringMatching(/^[A-Za-z0-9!#%+,.?^_~][A-Za-z0-9!#%+.?@^_~-]{5,20}$/)
  fc.assert(
    fc.property(fc.constantFrom(...holders), secrets, fc.boolean(), (holder, secret, isIndented) => {
      const script = holder(secret).replaceAll(/^/gm, isIndented ? '  ' : '')
      const masked = maskedScript(script)
      expect(masked).not.toContain(secret)
      expect(masked).toContain('kept')
      expect(masked.split('\n')).toHaveLength(script.split('\n').length)
      expect(maskedScript(masked)).toBe(masked)
    }),
    { numRuns: 2_000 },
  )
})

it.each([
  ...holders.map((holder) => holder('PW')),
  'machine h\n  login joe\n  password PW',
  'machine h login joe\npassword PW',
  'setenv HF_TOKEN PW',
  'set -gx HF_TOKEN PW',
  'set --export -g HF_TOKEN "PW a"',
  'FROM x\nENV HF_TOKEN PW',
  'aws configure set aws_secret_access_key PW',
  'aws configure set --profile a aws_secret_access_key PW',
  'git config --global github.token PW',
  'npm config set //registry.npmjs.org/:_authToken PW',
  'ssh root@h chpasswd <<EOF\njoe:PW\nEOF',
  "ssh root@h 'sudo chpasswd' <<EOF\njoe:PW\nEOF",
  'docker exec -i c chpasswd <<EOF\njoe:PW',
  'timeout 5 chpasswd <<EOF\njoe:PW\nada:PW',
  'ssh h chpasswd <<< joe:PW',
  'docker exec -i c passwd root <<EOF\nPW\nPW\nEOF',
  'docker login --password-stdin <<EOF\nPW',
  'passwd joe <<EOF\nPW\nPW',
  'x=`curl -s -u me:PW https://x`',
  'x=`curl -s -u me:PW https://x',
  'x="`sshpass -p PW ssh h`"',
  'x=`sshpass -p PW ssh h',
  'x=$(curl -u me:PW x',
  '$(curl -u me:PW x)',
  'run: echo joe:PW | chpasswd',
  'ssh h echo joe:PW | chpasswd',
  'bash -c "echo joe:PW | chpasswd',
  "bash -c 'curl -u me:PW x",
  'a.py --password \\$PW',
  'a.py --token \\!PW',
  'PASSWORD==PW',
  'export HF_TOKEN=PW',
  'docker run -e "HF_TOKEN=PW" x',
  'curl -H "Authorization: Bearer PW" x',
  'htpasswd -b f joe PW 2>/dev/null',
  'mysql -h h -pPW 2>&1 | tee x',
  'useradd -p $(echo PW | openssl passwd -stdin) joe',
  "wandb.login(key='PW')",
  'redis-cli -a PW ping',
  "# don't\necho 'joe:PW' | chpasswd",
  "bash -c 'setenv HF_TOKEN PW'",
  '# curl -u "me:PW a" x',
])('an everyday secret is never shown: %s', (text) => {
  expect(maskedScript(text)).not.toContain('PW')
  expect(maskedCommand(text)).not.toContain('PW')
})

it('masked text stays as it is', () => {
  for (const text of ['TOKEN=•••', 'https://•••@host', '"password": •••', 'echo "joe:•••" | chpasswd'])
    expect(maskedScript(text)).toBe(text)
})
