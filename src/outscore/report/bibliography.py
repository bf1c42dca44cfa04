"""BibTeX for the metrics and methods that a result used."""

from __future__ import annotations

from collections.abc import Iterable

_ENTRIES = {
    "Papineni et al. 2002": ("inproceedings", "papineni-etal-2002-bleu", "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing", "Bleu: a Method for Automatic Evaluation of Machine Translation", "Proceedings of ACL", 2002),
    "Post 2018": ("inproceedings", "post-2018-call", "Post, Matt", "A Call for Clarity in Reporting {BLEU} Scores", "Proceedings of WMT", 2018),
    "Popović 2015": ("inproceedings", "popovic-2015-chrf", "Popovi{\\'c}, Maja", "{chrF}: character n-gram {F}-score for automatic {MT} evaluation", "Proceedings of WMT", 2015),
    "Popović 2017": ("inproceedings", "popovic-2017-chrf", "Popovi{\\'c}, Maja", "{chrF++}: words helping character n-grams", "Proceedings of WMT", 2017),
    "Snover et al. 2006": ("inproceedings", "snover-etal-2006-study", "Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John", "A Study of Translation Edit Rate with Targeted Human Annotation", "Proceedings of AMTA", 2006),
    "van Rijsbergen 1979": ("book", "vanrijsbergen-1979", "van Rijsbergen, C. J.", "Information Retrieval", "Butterworths", 1979),
    "Efron & Tibshirani 1993": ("book", "efron-tibshirani-1993", "Efron, Bradley and Tibshirani, Robert J.", "An Introduction to the Bootstrap", "Chapman and Hall", 1993),
    "Efron 1987": ("article", "efron-1987-better", "Efron, Bradley", "Better Bootstrap Confidence Intervals", "Journal of the American Statistical Association", 1987),
    "Koehn 2004": ("inproceedings", "koehn-2004-statistical", "Koehn, Philipp", "Statistical Significance Tests for Machine Translation Evaluation", "Proceedings of EMNLP", 2004),
    "Berg-Kirkpatrick et al. 2012": ("inproceedings", "berg-kirkpatrick-etal-2012", "Berg-Kirkpatrick, Taylor and Burkett, David and Klein, Dan", "An Empirical Investigation of Statistical Significance in {NLP}", "Proceedings of EMNLP-CoNLL", 2012),
    "Fisher 1935": ("book", "fisher-1935-design", "Fisher, R. A.", "The Design of Experiments", "Oliver and Boyd", 1935),
    "Noreen 1989": ("book", "noreen-1989", "Noreen, Eric W.", "Computer-Intensive Methods for Testing Hypotheses", "Wiley", 1989),
    "Riezler & Maxwell 2005": ("inproceedings", "riezler-maxwell-2005", "Riezler, Stefan and Maxwell, John T.", "On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}", "Proceedings of the ACL Workshop on Intrinsic and Extrinsic Evaluation Measures", 2005),
    "Zmigrod et al. 2022": ("inproceedings", "zmigrod-etal-2022-exact", "Zmigrod, Ran and Vieira, Tim and Cotterell, Ryan", "Exact Paired-Permutation Testing for Structured Test Statistics", "Proceedings of NAACL", 2022),
    "Phipson & Smyth 2010": ("article", "phipson-smyth-2010", "Phipson, Belinda and Smyth, Gordon K.", "Permutation P-values Should Never Be Zero", "Statistical Applications in Genetics and Molecular Biology", 2010),
    "McNemar 1947": ("article", "mcnemar-1947", "McNemar, Quinn", "Note on the Sampling Error of the Difference Between Correlated Proportions or Percentages", "Psychometrika", 1947),
    "Fagerland et al. 2013": ("article", "fagerland-etal-2013", "Fagerland, Morten W. and Lydersen, Stian and Laake, Petter", "The {McNemar} Test for Binary Matched-Pairs Data: Mid-p and Asymptotic Are Better than Exact Conditional", "BMC Medical Research Methodology", 2013),
    "Tango 1998": ("article", "tango-1998", "Tango, Toshiro", "Equivalence Test and Confidence Interval for the Difference in Proportions for the Paired-Sample Design", "Statistics in Medicine", 1998),
    "Wilson 1927": ("article", "wilson-1927", "Wilson, Edwin B.", "Probable Inference, the Law of Succession, and Statistical Inference", "Journal of the American Statistical Association", 1927),
    "Student 1908": ("article", "student-1908", "{Student}", "The Probable Error of a Mean", "Biometrika", 1908),
    "Welch 1947": ("article", "welch-1947", "Welch, B. L.", "The Generalization of `{Student's}' Problem when Several Different Population Variances are Involved", "Biometrika", 1947),
    "Wilcoxon 1945": ("article", "wilcoxon-1945", "Wilcoxon, Frank", "Individual Comparisons by Ranking Methods", "Biometrics Bulletin", 1945),
    "Pustejovsky & Tipton 2018": ("article", "pustejovsky-tipton-2018", "Pustejovsky, James E. and Tipton, Elizabeth", "Small-Sample Methods for Cluster-Robust Variance Estimation and Hypothesis Testing in Fixed Effects Models", "Journal of Business \\& Economic Statistics", 2018),
    "Miller 2024": ("misc", "miller-2024", "Miller, Evan", "Adding Error Bars to Evals: A Statistical Approach to Language Model Evaluations", "arXiv", 2024),
    "Clark et al. 2011": ("inproceedings", "clark-etal-2011-better", "Clark, Jonathan H. and Dyer, Chris and Lavie, Alon and Smith, Noah A.", "Better Hypothesis Testing for Statistical Machine Translation: Controlling for Optimizer Instability", "Proceedings of ACL-HLT", 2011),
    "Holm 1979": ("article", "holm-1979", "Holm, Sture", "A Simple Sequentially Rejective Multiple Test Procedure", "Scandinavian Journal of Statistics", 1979),
    "Hochberg 1988": ("article", "hochberg-1988", "Hochberg, Yosef", "A Sharper {Bonferroni} Procedure for Multiple Tests of Significance", "Biometrika", 1988),
    "Hommel 1988": ("article", "hommel-1988", "Hommel, Gerhard", "A Stagewise Rejective Multiple Test Procedure Based on a Modified {Bonferroni} Test", "Biometrika", 1988),
    "Šidák 1967": ("article", "sidak-1967", "{\\v{S}}id{\\'a}k, Zbyn{\\v{e}}k", "Rectangular Confidence Regions for the Means of Multivariate Normal Distributions", "Journal of the American Statistical Association", 1967),
    "Benjamini & Hochberg 1995": ("article", "benjamini-hochberg-1995", "Benjamini, Yoav and Hochberg, Yosef", "Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing", "Journal of the Royal Statistical Society B", 1995),
    "Benjamini & Yekutieli 2001": ("article", "benjamini-yekutieli-2001", "Benjamini, Yoav and Yekutieli, Daniel", "The Control of the False Discovery Rate in Multiple Testing under Dependency", "Annals of Statistics", 2001),
    "Westfall & Young 1993": ("book", "westfall-young-1993", "Westfall, Peter H. and Young, S. Stanley", "Resampling-Based Multiple Testing", "Wiley", 1993),
}  # fmt: skip

_VENUE = {"inproceedings": "booktitle", "article": "journal", "book": "publisher", "misc": "howpublished"}


def bibtex(citations: Iterable[str]) -> str:
    """BibTeX entries of the works named in free-text citations, in the order of their first mention.

    A citation that names no known work becomes a comment, so that nothing used goes unmentioned.
    """
    found: dict[str, str] = {}
    for citation in citations:
        known = sorted((citation.index(key), key) for key in _ENTRIES if key in citation)
        for _, key in known:
            found[key] = _entry(*_ENTRIES[key])
        if not known:
            found[citation] = f"% {' '.join(citation.split())}\n"
    return "\n".join(found.values())


def _entry(kind: str, key: str, author: str, title: str, venue: str, year: int) -> str:
    fields = {"author": author, "title": title, _VENUE[kind]: venue, "year": str(year)}
    body = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{kind}{{{key},\n{body}}}\n"
