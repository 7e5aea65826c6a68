import type { Translation } from '../translation'
import type { firewall as english } from '../en/firewall'

export const firewall: Translation<typeof english> = {
  attempt: 'Firewallregeln aktualisieren',
  title: 'Firewall',
  add: 'Regel hinzufügen',
  loading: 'Regeln werden geladen …',
  empty: 'Keine Firewallregeln',
  range: '{from}–{to} von {total}',
  rangeOpen: '{from}–{to}',
  previous: 'Vorherige Seite',
  next: 'Nächste Seite',
  refresh: 'Regeln aktualisieren',
  sort: {
    label: 'Sortieren nach',
    direction: 'Richtung',
    protocol: 'Protokoll',
    remote_ip_prefix: 'Adressen',
    port_range_min: 'Port',
    created_at: 'Alter',
    ascending: 'Aufsteigend; zu absteigend wechseln',
    descending: 'Absteigend; zu aufsteigend wechseln',
  },
  direction: { inbound: 'Eingehend', outbound: 'Ausgehend' },
  protocol: { any: 'Jedes Protokoll', tcp: 'TCP', udp: 'UDP', icmp: 'ICMP' },
  allPorts: 'alle Ports',
  world: 'alle',
  sshOpen: 'SSH steht allen offen',
  sshOpenText: 'Jeder im Internet kann versuchen, sich anzumelden. Ein engerer Adressbereich verhindert das.',
  stillOpen:
    'Eine andere Regel ({rule} von {prefix}) lässt weiterhin alle eine Anmeldung über SSH versuchen. Der Dienst bietet keine Möglichkeit, sie zu entfernen.',
  permanent: 'Regeln lassen sich nicht entfernen: Jede bleibt, bis die Maschine gelöscht ist.',
  form: {
    title: 'Firewallregel hinzufügen',
    presets: 'Vorlagen',
    direction: 'Richtung',
    protocol: 'Protokoll',
    ethertype: 'Adressfamilie',
    prefix: 'Adressen',
    prefixHint4: 'CIDR, etwa 203.0.113.7/32. 0.0.0.0/0 steht für alle.',
    prefixHint6: 'CIDR, etwa 2001:db8::7/128. ::/0 steht für alle.',
    portMin: 'Von Port',
    portMax: 'Bis Port',
    icmpPorts: 'ICMP hat keine Ports, aber der Dienst verlangt sie.',
    description: 'Beschreibung (optional)',
    ownAddress: 'Ihre öffentliche Adresse',
    ownAddressHint:
      'Nicht ermittelt. Führen Sie „echo $SSH_CLIENT“ auf einer Maschine aus, auf der Sie angemeldet sind: Die Adresse steht an erster Stelle. Sie wird hier gespeichert.',
    addressFrom: {
      machine: 'Diese Adresse sieht die Maschine über die offene SSH-Verbindung.',
      interface:
        'Eine Adresse dieses Computers. Mit VPN oder Proxy sieht die Maschine möglicherweise eine andere.',
      remembered:
        'Diese Adresse haben Sie früher eingegeben. Prüfen Sie, ob sie noch Ihre ist: Die Regel ist dauerhaft.',
      rememberedAt:
        'Diese Adresse haben Sie {age} eingegeben. Prüfen Sie, ob sie noch Ihre ist: Die Regel ist dauerhaft.',
      typed: 'Wird beim nächsten Mal vorgeschlagen.',
    },
    action: 'Regel hinzufügen',
    added: 'Regel hinzugefügt',
  },
  preset: {
    ssh: 'SSH von meiner Adresse',
    http: 'HTTP',
    https: 'HTTPS',
    jupyter: 'Jupyter',
    icmp: 'ICMP (ping)',
    range: 'Portbereich',
  },
  wrong: {
    required: 'Erforderlich',
    port: 'Geben Sie einen Port von 1 bis 65535 ein.',
    order: 'Der letzte Port darf nicht kleiner als der erste sein.',
    prefix: {
      IPv4: 'Geben Sie einen Bereich von IPv4-Adressen ein, etwa 203.0.113.7/32.',
      IPv6: 'Geben Sie einen Bereich von IPv6-Adressen ein, etwa 2001:db8::7/128.',
    },
    address: 'Geben Sie eine IP-Adresse ein.',
  },
}
