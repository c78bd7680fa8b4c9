// German and its relatives. See index.ts.

export const german = `
  wann warum weshalb wieso wohin woher womit wodurch wofür woran worin wozu wieviel wessen viel viele mehr meist oft immer nie schon noch
  gibt geben gab gegeben liegt liegen lag gelegen steht stehen stand gestanden hängt hängen befindet befinden befand bleibt bleiben blieb
  geblieben findet finden fand gefunden heißt heißen hieß kostet kosten gekostet dauert dauern gedauert beginnt beginnen begann begonnen
  anfängt anfangen angefangen endet enden geendet aufhört gilt gelten galt gegolten braucht brauchen gebraucht benötigt benötigen geht
  gehen ging gegangen kommt kommen kam gekommen macht machen gemacht tut tun getan nimmt nehmen nahm genommen bekommt bekommen bekam
  erhält erhalten erhielt bringt bringen brachte gebracht hält halten hielt gehalten lässt lassen ließ zahlt zahlen bezahlt bezahlen
  gezahlt kauft kaufen gekauft verkauft verkaufen bestellt bestellen liefert liefern geliefert schickt schicken geschickt sendet senden
  gesendet öffnet öffnen geöffnet schließt schließen schloss geschlossen funktioniert funktionieren passiert passieren geschieht geschehen
  arbeitet arbeiten leitet leiten geleitet führt führen geführt gewinnt gewinnen gewann gewonnen wohnt wohnen lebt leben gelebt starb
  sterben gestorben geboren baut bauen gebaut erfand erfunden erfinden entdeckt entdecken gegründet gründen schreibt schreiben schrieb
  geschrieben liest lesen las gelesen sagt sagen gesagt spricht sprechen sprach gesprochen weiß wissen wusste kennt kennen kannte nennt
  nennen nannte genannt bedeutet bedeuten zeigt zeigen gezeigt enthält enthalten enthielt gehört gehören aufbewahrt aufbewahren gelagert
  lagern lagert gespeichert speichern untergebracht erlaubt erlauben verboten kündigen gekündigt beantragen beantragt ändert ändern
  geändert erreicht erreichen trifft treffen traf verwendet verwenden benutzt benutzen nutzt nutzen gehandelt entsteht entstehen entstand
  besteht bestehen bestand hergestellt herstellen berechnet berechnen bestimmt verantwortlich zuständig möglich wichtig nötig verfügbar
  groß größe klein lang lange länge kurz hoch höhe tief tiefe breit breite schwer alt alter neu gut besser best früh spät schnell weit
  erste letzte nächste ganz zeit jahr monat woche tag stunde minute uhr datum name nummer zahl anzahl ort platz stelle art weise grund
  zweck teil stück ding sache mensch person leute frau mann kind haus welt land stadt farbe frage antwort beispiel problem fall preis
  betrag wert menge grad prozent
`;

export const dutch = `
  waar wanneer waarom hoeveel hoelang welke welk waarin waarmee waarvoor wiens vaak nooit ligt liggen lag gelegen staat staan stond hangt
  hangen bevindt bevinden blijft blijven bleef vindt vinden vond gevonden heet heten kost kosten duurt duren begint beginnen begon
  begonnen start eindigt eindigen stopt geldt gelden gaat gaan ging komt komen kwam maakt maken gemaakt doet gedaan neemt nemen nam krijgt
  krijgen kreeg ontvangt ontvangen geeft geven gaf brengt brengen houdt houden gehouden laat laten betaalt betalen betaald koopt kopen
  gekocht verkoopt verkopen verkocht bestelt bestellen levert leveren geleverd stuurt sturen gestuurd verstuurt opent openen sluit sluiten
  werkt werken gebeurt gebeuren woont wonen leeft leven stierf sterven geboren bouwt bouwen gebouwd uitgevonden ontdekt ontdekken
  opgericht schrijft schrijven schreef geschreven leest lezen zegt zeggen spreekt spreken weet weten kent kennen noemt noemen betekent
  betekenen toont tonen bevat bevatten hoort bewaard bewaren opgeslagen opslaan gebruikt gebruiken nodig verandert veranderen bereikt
  bereiken mag verboden annuleren opzeggen mogelijk belangrijk beschikbaar verantwoordelijk groot grootte klein lang lengte kort hoog
  hoogte diep breed zwaar oud nieuw goed beter best eerste laatste volgende vroeg tijd jaar maand week dag uur minuut datum naam nummer
  aantal plaats plek soort manier reden doel deel ding mens persoon mensen man vrouw kind huis wereld land stad vraag antwoord voorbeeld
  probleem geval prijs bedrag waarde hoeveelheid kleur
`;

export const danish = `
  hvornår hvordan hvorfor hvorhen hvem hvilken hvilket hvilke hvis mange ofte altid aldrig ligger ligge lå står stå stod hænger hænge
  findes finde fundet befinder bliver hedder hedde koster koste varer vare begynder begynde begyndte starter starte slutter slutte gælder
  gælde går gå gik kommer komme kom gør gøre gjort laver lave tager tage tog får få fik giver give gav bringer holder holde holdt lader
  betaler betale betalt køber købe købt sælger sælge solgt bestiller bestille leverer levere leveret sender sende sendt åbner åbne lukker
  lukke virker virke sker ske skete arbejder arbejde bor bo lever leve døde dø født bygger bygge bygget opfandt opfundet opdagede opdage
  grundlagt skriver skrive skrev skrevet læser læse siger sige sagde taler tale ved vide kender kende betyder betyde viser vise indeholder
  indeholde tilhører opbevares opbevaret opbevare gemmes gemt gemme lagret bruger bruge brugt behøver nødvendig ændrer ændre når tillader
  tilladt forbudt annullere opsige mulig vigtig tilgængelig ansvarlig stor størrelse lille lang længe længde kort høj højde dyb bred tung
  gammel ny god bedre bedst første sidste næste tidlig sen tid år måned uge dag time minut dato navn nummer antal sted slags måde grund
  formål del ting menneske person folk mand kvinde barn hus verden land by spørgsmål svar eksempel problem tilfælde pris beløb værdi
  mængde farve
`;

export const norwegian = `
  når hvordan hvorfor hvorhen hvem hvilken hvilket hvilke mange mye ofte alltid aldri ligger ligge lå står stå stod henger henge finnes
  finne funnet befinner blir heter hete koster koste varer vare begynner begynne begynte starter starte slutter slutte gjelder gjelde går
  gå gikk kommer komme kom gjør gjøre gjort lager lage tar ta tok får få fikk gir gi gav ga bringer holder holde holdt lar betaler betale
  betalt kjøper kjøpe kjøpt selger selge solgt bestiller bestille leverer levere levert sender sende sendt åpner åpne stenger lukker
  virker virke skjer skje skjedde arbeider jobber bor bo lever leve døde dø født bygger bygge bygget bygd oppfant oppfunnet oppdaget
  oppdage grunnlagt skriver skrive skrev skrevet leser lese sier si sa snakker snakke vet vite kjenner kjenne betyr bety viser vise
  inneholder inneholde tilhører oppbevares oppbevart oppbevare lagres lagret lagre bruker bruke brukt trenger trenge nødvendig endrer
  endre tillater tillatt forbudt avbestille avbryte mulig viktig tilgjengelig ansvarlig stor størrelse liten lang lenge lengde kort høy
  høyde dyp bred tung gammel ny god bedre best første siste neste tidlig sent tid år måned uke dag time minutt dato navn nummer antall
  sted slags måte grunn formål del ting menneske person folk mann kvinne barn hus verden land by spørsmål svar eksempel problem tilfelle
  pris beløp verdi mengde farge
`;

export const swedish = `
  när hur varför varifrån vart många mycket ofta alltid aldrig ligger ligga låg står stå stod hänger hänga finns finnas hittas hitta
  hittat befinner förblir heter heta kostar kosta varar vara pågår börjar börja började startar starta slutar sluta gäller gälla går gå
  gick kommer komma kom gör göra gjort tar ta tog får få fick ger ge gav håller hålla låter betalar betala betalt köper köpa köpt säljer
  sälja sålt beställer beställa levererar leverera levererat skickar skicka skickat öppnar öppna stänger stänga fungerar fungera händer
  hända hände sker arbetar arbeta jobbar bor bo lever leva dog dö född bygger bygga byggt byggd uppfann uppfunnen uppfinna upptäckte
  upptäcka grundades grundat skriver skriva skrev skrivit läser läsa säger säga sade talar tala pratar vet veta känner känna betyder
  betyda visar visa innehåller innehålla tillhör förvaras förvarat förvara lagras lagrat lagra sparas sparat använder använda använt
  behöver behöva nödvändig ändrar ändra når tillåter tillåten tillåtet förbjuden avboka upp möjlig viktig tillgänglig ansvarig stor
  storlek liten lång länge längd kort hög höjd djup bred tung gammal ny bra god bättre bäst första sista nästa tidig sen tid år månad
  vecka dag timme minut datum namn nummer antal plats ställe slag sort sätt skäl syfte del sak människa person folk man kvinna barn hus
  värld land stad fråga svar exempel problem fall pris belopp värde mängd färg
`;
